class Calculator:
    def execute(self, request):
        return str(eval(request.operation))  # expect: evaluated-text

    def run(self, text):
        return eval(text)  # ok: evaluated-text
