# An image that audits what is mounted at /code:
#   docker build -t counterproof .
#   docker run --rm -v "$PWD:/code:ro" counterproof audit . --yes
# The base image is pinned by its digest. For a newer one: --build-arg PYTHON_IMAGE=python:3.13-slim@sha256:…
ARG PYTHON_IMAGE=python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

FROM ${PYTHON_IMAGE} AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY requirements/run.lock requirements/build.lock requirements/
RUN python -m venv /opt/counterproof && python -m venv /opt/build \
 && /opt/counterproof/bin/pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/run.lock \
 && /opt/build/bin/pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/build.lock
COPY src src
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --no-index --wheel-dir /build/wheel . \
 && /opt/counterproof/bin/pip install --no-cache-dir --no-deps --no-index /build/wheel/*.whl

FROM ${PYTHON_IMAGE}
# git comes from Debian as it is today: Debian keeps no older versions, so a pinned one would soon not be there.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 10001 counterproof \
 && install -d -o counterproof -g counterproof -m 0700 /data
COPY --from=build /opt/counterproof /opt/counterproof
ENV PATH=/opt/counterproof/bin:$PATH COUNTERPROOF_HOME=/data
USER 10001
VOLUME /data
WORKDIR /code
ENTRYPOINT ["counterproof"]
