from django.contrib.auth.decorators import login_not_required
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt


@csrf_exempt  # ok: csrf
def chosen(request):
    verified_data = get_signed_data(request)
    return run(verified_data, request.POST)


@method_decorator(csrf_exempt, name="dispatch")  # ok: csrf
@method_decorator(login_not_required, name="dispatch")
class Revoke(View):
    def post(self, request):
        return self.revoke(request)


@method_decorator(csrf_exempt, name="dispatch")  # expect: csrf
class Rename(View):
    def post(self, request):
        return self.rename(request)
