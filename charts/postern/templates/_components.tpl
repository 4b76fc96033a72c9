{{- /*
The components of this installation, as YAML: name → what the code says of it (files/components.yaml) and what values say.
fleet: one for each service. single: "all", which needs nobody and has everything.
*/ -}}
{{- define "postern.components" -}}
{{- $root := . -}}
{{- $facts := .Files.Get "files/components.yaml" | fromYaml -}}
{{- if eq .Values.mode "single" -}}
{{- $facts = dict "all" (dict "needs" list "isStored" true "blobs" true "backlog" list) -}}
{{- end -}}
{{- range $name, $fact := $facts }}
{{ $name }}:
  {{- $given := mergeOverwrite (deepCopy $root.Values.defaults) (get $root.Values.components $name | default dict | deepCopy) }}
  {{- merge (dict "name" $name) $fact $given | toYaml | nindent 2 }}
{{- end }}
{{- end }}

{{- define "postern.stored" -}}
{{- $stored := list -}}
{{- range $name, $fact := .Files.Get "files/components.yaml" | fromYaml -}}
{{- if $fact.isStored }}{{ $stored = append $stored $name }}{{ end -}}
{{- end -}}
{{- toJson $stored -}}
{{- end }}

{{- /* Whether a component takes SMTP, or HTTP from outside; takes its name. */ -}}
{{- define "postern.takesMail" -}}{{ if has . (list "ingress" "all") }}true{{ end }}{{- end }}
{{- define "postern.isFrontDoor" -}}{{ if has . (list "gateway" "all") }}true{{ end }}{{- end }}

{{- /* Whether mail, or a callback, leaves from it. */ -}}
{{- define "postern.sendsMail" -}}{{ if has . (list "forwarder" "all") }}true{{ end }}{{- end }}
{{- define "postern.callsBack" -}}{{ if has . (list "webhook" "all") }}true{{ end }}{{- end }}

{{- define "postern.usesKafka" -}}{{ if eq .Values.mode "fleet" }}true{{ end }}{{- end }}

{{- /* Where probes and metrics are: the process that is all of them has one entrance. */ -}}
{{- define "postern.healthPort" -}}{{ if eq . "all" }}http{{ else }}internal{{ end }}{{- end }}
