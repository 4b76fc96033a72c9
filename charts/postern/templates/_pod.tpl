{{- /* The restricted profile of the pod security standards, and a read-only root besides. */ -}}
{{- define "postern.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "postern.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "postern.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{- /* A container of a job: one of the operator's commands. Takes {root, name, words, environment, configMap}. */ -}}
{{- define "postern.commandContainer" -}}
- name: {{ .name }}
  image: {{ include "postern.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: {{ concat (list "dist/admin.js") .words | toJson }}
  securityContext: {{- include "postern.containerSecurity" .root | nindent 4 }}
  resources: { requests: { cpu: 50m, memory: 192Mi }, limits: { memory: 512Mi } }
  envFrom:
    - configMapRef: { name: {{ .configMap }} }
  env:
    {{- .environment | nindent 4 }}
  volumeMounts:
    - { name: tmp, mountPath: /tmp }
    - { name: data, mountPath: /data }
{{- end }}

{{- /* What may be written to: nothing that has to last. */ -}}
{{- define "postern.scratch" -}}
- name: tmp
  emptyDir: { sizeLimit: 2Gi }
- name: data
  emptyDir: { sizeLimit: 1Gi }
{{- end }}

{{- /* Takes {root, component}. */ -}}
{{- define "postern.podSpec" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $name := $component.name -}}
{{- $isAll := eq $name "all" -}}
{{- $health := include "postern.healthPort" $name -}}
{{- $internalTls := $root.Values.internalTls.existingSecret -}}
{{- /* Probes show no certificate, and are let in without. */ -}}
{{- $scheme := ternary "HTTPS" "HTTP" (and (ne $internalTls "") (eq $health "internal")) -}}
{{- $tls := and (has "ingress" $component.services) (include "postern.smtpSecret" $root) -}}
serviceAccountName: {{ include "postern.fullname" $root }}-{{ $name }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- include "postern.pullSecrets" $root }}
{{- with $component.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
# preStop, then the service's own stop, then what is left of its grace.
terminationGracePeriodSeconds: {{ add $root.Values.drainSeconds $root.Values.stopTimeoutSeconds 10 }}
securityContext: {{- include "postern.podSecurity" $root | nindent 2 }}
containers:
  - name: {{ $name }}
    image: {{ include "postern.image" $root }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args: [dist/main.js, {{ printf "--target=%s" ($isAll | ternary "all" (join "," $component.services)) | quote }}]
    securityContext: {{- include "postern.containerSecurity" $root | nindent 6 }}
    ports:
      - { name: internal, containerPort: 9090 }
      {{- if has "gateway" $component.services }}
      - { name: http, containerPort: 8080 }
      {{- end }}
      {{- if has "ingress" $component.services }}
      - { name: smtp, containerPort: 2525 }
      {{- end }}
    envFrom:
      - configMapRef: { name: {{ include "postern.fullname" $root }} }
    env:
      {{- include "postern.secrets" (dict "root" $root "stored" $component.stored "blobs" $component.blobs "isAuth" (has "auth" $component.services) "sendsMail" (has "forwarder" $component.services)) | nindent 6 }}
      # V8 sizes itself by the machine unless told of the limit.
      - { name: NODE_OPTIONS, value: "--max-old-space-size-percentage=75" }
      - { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
      - { name: OTEL_RESOURCE_ATTRIBUTES, value: "service.namespace={{ $root.Release.Name }},service.version={{ $root.Chart.AppVersion }},k8s.pod.name=$(POD_NAME)" }
      {{- with $root.Values.telemetry }}
      {{- if and .endpoint .headers.existingSecret }}
      {{- include "postern.secretVariable" (dict "variable" "OTEL_EXPORTER_OTLP_HEADERS" "secret" .headers.existingSecret "key" .headers.key) | nindent 6 }}
      {{- end }}
      {{- end }}
      {{- if $internalTls }}
      - { name: INTERNAL_TLS_CERT, value: /internal-tls/tls.crt }
      - { name: INTERNAL_TLS_KEY, value: /internal-tls/tls.key }
      - { name: INTERNAL_TLS_CA, value: /internal-tls/ca.crt }
      {{- end }}
      {{- range $variable, $value := $component.config }}
      - { name: {{ $variable }}, value: {{ include "postern.plain" $value | quote }} }
      {{- end }}
    # Migrations that another pod runs are waited for here.
    startupProbe:
      httpGet: { path: /healthz, port: {{ $health }}, scheme: {{ $scheme }} }
      periodSeconds: 2
      failureThreshold: 150
    # It has reached its stores and its bus once, and is not stopping. Where they are out of reach later, they mostly are so for every pod: each
    # then answers that for itself, and takes mail that it can store. /readyz says what is missing.
    readinessProbe:
      httpGet: { path: /servingz, port: {{ $health }}, scheme: {{ $scheme }} }
      periodSeconds: 5
      timeoutSeconds: 5
      failureThreshold: 2
    # Its event loop turns. A store that is away is no reason to restart it.
    livenessProbe:
      httpGet: { path: /healthz, port: {{ $health }}, scheme: {{ $scheme }} }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    lifecycle:
      preStop: { sleep: { seconds: {{ $root.Values.drainSeconds }} } }
    {{- with $component.resources }}
    resources: {{- toYaml . | nindent 6 }}
    {{- end }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      - { name: data, mountPath: /data }
      {{- if $tls }}
      - { name: tls, mountPath: /tls, readOnly: true }
      {{- end }}
      {{- if $internalTls }}
      - { name: internal-tls, mountPath: /internal-tls, readOnly: true }
      {{- end }}
volumes:
  {{- include "postern.scratch" $root | nindent 2 }}
  {{- if $tls }}
  # A whole volume: a file mounted by itself would never be renewed.
  - name: tls
    secret: { secretName: {{ $tls }}, defaultMode: 0440 }
  {{- end }}
  {{- if $internalTls }}
  - name: internal-tls
    secret: { secretName: {{ $internalTls }}, defaultMode: 0440 }
  {{- end }}
{{- with $root.Values.topologySpread }}
{{- if and .enabled (not $isAll) }}
topologySpreadConstraints:
  {{- range .keys }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: {{ $root.Values.topologySpread.whenUnsatisfiable }}
    labelSelector:
      matchLabels: {{- include "postern.componentSelector" (dict "root" $root "name" $name) | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}
{{- end }}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $component $key }}
{{ $key }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
