from celery import Celery

SESSION_SERIALIZER = "django.contrib.sessions.serializers.PickleSerializer"  # expect: pickle-serialiser
OTHER_SERIALIZER = "django.contrib.sessions.serializers.PickleSerializer"

jobs = Celery("jobs")
jobs.conf.update(task_serializer="pickle")  # expect: pickle-serialiser
jobs.conf.update(result_serializer="json")  # ok: pickle-serialiser
jobs.conf.accept_content = ["json"]  # ok: pickle-serialiser
