from django.contrib.auth.models import User
from rest_framework import permissions, viewsets
from rest_framework.routers import DefaultRouter


class Everyone(viewsets.ModelViewSet):  # expect: unguarded-destruction
    queryset = User.objects.all()
    permission_classes = [permissions.AllowAny]


class Staff(viewsets.ModelViewSet):  # ok: unguarded-destruction
    queryset = User.objects.all()
    permission_classes = [permissions.IsAdminUser]


router = DefaultRouter()
router.register("everyone", Everyone)
router.register("staff", Staff)
urlpatterns = router.urls
