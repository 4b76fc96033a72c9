{{- define "postern.name" -}}
{{ .Values.nameOverride | default .Chart.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- /* Room is left for a component's name: 63 is the limit. */ -}}
{{- define "postern.fullname" -}}
{{- $name := include "postern.name" . -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains $name .Release.Name -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}
{{- end -}}
{{- end }}

{{- define "postern.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}{{- else -}}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{- end -}}
{{- end -}}
{{- end }}

{{- define "postern.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: postern
{{ include "postern.selector" . }}
{{- end }}

{{- define "postern.selector" -}}
app.kubernetes.io/name: {{ include "postern.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Of one component; takes {root, name}. */ -}}
{{- define "postern.componentSelector" -}}
{{ include "postern.selector" .root }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "postern.componentLabels" -}}
{{ include "postern.labels" .root }}
app.kubernetes.io/component: {{ .name }}
{{- end }}
