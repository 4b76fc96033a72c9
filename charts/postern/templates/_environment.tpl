{{- /* What is no secret, and the same for all: the ConfigMap's data. */ -}}
{{- define "postern.environment" -}}
{{- $name := include "postern.fullname" . -}}
SERVICE_DOMAIN: {{ .Values.domain | quote }}
SERVICE_NAME: {{ .Values.serviceName | quote }}
PUBLIC_URL: {{ .Values.publicUrl | quote }}
HTTP_PORT: "8080"
INTERNAL_PORT: "9090"
SMTP_PORT: "2525"
STOP_TIMEOUT_S: {{ .Values.stopTimeoutSeconds | quote }}
TRUSTED_PROXY_HOPS: {{ include "postern.proxyHops" . | quote }}
{{- if eq .Values.mode "fleet" }}
{{- range $service, $_ := .Files.Get "files/components.yaml" | fromYaml }}
{{ upper $service }}_URL: http://{{ $name }}-{{ $service }}:9090
{{- end }}
{{- end }}
{{- if include "postern.usesKafka" . }}
{{- with .Values.kafka }}
KAFKA_BROKERS: {{ join "," .brokers | quote }}
KAFKA_TOPIC_PREFIX: {{ .topicPrefix | quote }}
KAFKA_SSL: {{ .tls | quote }}
KAFKA_SASL_MECHANISM: {{ .sasl.mechanism | quote }}
KAFKA_PARTITIONS: {{ .topics.partitions | quote }}
KAFKA_REPLICATION: {{ .topics.replication | quote }}
KAFKA_MIN_INSYNC_REPLICAS: {{ .topics.minInsyncReplicas | quote }}
KAFKA_RETENTION_H: {{ .topics.retentionHours | quote }}
{{- end }}
{{- end }}
{{- with .Values.blobs }}
{{- if .bucket }}
S3_BUCKET: {{ .bucket | quote }}
S3_ENDPOINT: {{ .endpoint | quote }}
S3_REGION: {{ .region | quote }}
S3_PREFIX: {{ .prefix | quote }}
{{- end }}
{{- end }}
{{- if ne .Values.outbound.mode "relay" }}
OUTBOUND: {{ .Values.outbound.mode | quote }}
{{- end }}
{{- if .Values.smtp.proxyProtocol.enabled }}
SMTP_PROXY_CIDRS: {{ join "," .Values.smtp.proxyProtocol.cidrs | quote }}
{{- end }}
{{- if include "postern.smtpSecret" . }}
SMTP_TLS_KEY_FILE: /tls/tls.key
SMTP_TLS_CERT_FILE: /tls/tls.crt
{{- end }}
{{- with .Values.telemetry }}
{{- if .endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ .endpoint | quote }}
OTEL_EXPORTER_OTLP_PROTOCOL: {{ .protocol | quote }}
OTEL_TRACES_SAMPLER: parentbased_traceidratio
OTEL_TRACES_SAMPLER_ARG: {{ .sampleRatio | quote }}
OTEL_METRICS_EXPORTER: {{ ternary "otlp" "none" .metrics }}
OTEL_LOGS_EXPORTER: {{ ternary "otlp" "none" .logs }}
{{- range $variable, $value := .variables }}
{{ $variable }}: {{ include "postern.plain" $value | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- range $variable, $value := .Values.config }}
{{ $variable }}: {{ include "postern.plain" $value | quote }}
{{- end }}
{{- end }}

{{- /* YAML reads 10485760 as a float, and would print 1.048576e+07. */ -}}
{{- define "postern.plain" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{- define "postern.proxyHops" -}}
{{- $http := .Values.http -}}
{{- if not (kindIs "invalid" $http.trustedProxyHops) -}}{{ int $http.trustedProxyHops }}
{{- else if or $http.ingress.enabled $http.gateway.enabled -}}1
{{- else -}}0{{- end -}}
{{- end }}

{{- define "postern.smtpSecret" -}}
{{- with .Values.smtp.tls -}}
{{- if .existingSecret }}{{ .existingSecret }}{{ else if .certManager.enabled }}{{ include "postern.fullname" $ }}-smtp-tls{{ end -}}
{{- end -}}
{{- end }}

{{- define "postern.secretVariable" -}}
- name: {{ .variable }}
  valueFrom: { secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} } }
{{- end }}

{{- /* A component's secrets: its own and no other's. Takes {root, stored: [names of services], blobs, isAuth, sendsMail}. */ -}}
{{- define "postern.secrets" -}}
{{- $values := .root.Values -}}
{{ include "postern.secretVariable" (dict "variable" "SECRET_KEY" "secret" $values.secretKey.existingSecret "key" $values.secretKey.key) }}
{{- with $values.secretKey }}
{{- if .previousKey }}
{{ include "postern.secretVariable" (dict "variable" "SECRET_KEY_PREVIOUS" "secret" .existingSecret "key" .previousKey) }}
{{- end }}
{{- end }}
{{- if .stored }}
{{- if eq $values.database.roles "provisioned" }}
{{ include "postern.secretVariable" (dict "variable" "DATABASE_URL" "secret" $values.database.existingSecret "key" "DATABASE_URL") }}
{{- else }}
{{- range .stored }}
{{- $variable := printf "%s_DATABASE_URL" (upper .) }}
{{ include "postern.secretVariable" (dict "variable" $variable "secret" $values.database.existingSecret "key" $variable) }}
{{- end }}
{{- end }}
{{- end }}
{{- with $values.redis }}
{{- if .existingSecret }}
{{ include "postern.secretVariable" (dict "variable" "REDIS_URL" "secret" .existingSecret "key" .key) }}
{{- end }}
{{- end }}
{{- with $values.kafka.sasl }}
{{- if and $.stored (ne .mechanism "none") (include "postern.usesKafka" $.root) }}
{{ include "postern.secretVariable" (dict "variable" "KAFKA_SASL_USERNAME" "secret" .existingSecret "key" .usernameKey) }}
{{ include "postern.secretVariable" (dict "variable" "KAFKA_SASL_PASSWORD" "secret" .existingSecret "key" .passwordKey) }}
{{- end }}
{{- end }}
{{- with $values.blobs }}
{{- if and $.blobs .bucket .existingSecret }}
{{ include "postern.secretVariable" (dict "variable" "S3_ACCESS_KEY_ID" "secret" .existingSecret "key" .accessKeyIdKey) }}
{{ include "postern.secretVariable" (dict "variable" "S3_SECRET_ACCESS_KEY" "secret" .existingSecret "key" .secretAccessKeyKey) }}
{{- end }}
{{- end }}
{{- with $values.bootstrap }}
{{- if and $.isAuth .existingSecret }}
{{ include "postern.secretVariable" (dict "variable" "BOOTSTRAP_USER" "secret" .existingSecret "key" .usernameKey) }}
{{ include "postern.secretVariable" (dict "variable" "BOOTSTRAP_PASSWORD" "secret" .existingSecret "key" .passwordKey) }}
{{- end }}
{{- end }}
{{- if and .sendsMail (eq $values.outbound.mode "relay") }}
{{ include "postern.secretVariable" (dict "variable" "OUTBOUND" "secret" $values.outbound.existingSecret "key" $values.outbound.key) }}
{{- end }}
{{- end }}
