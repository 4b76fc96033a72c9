{{- /* One rule of egress to a place that values name: takes {to, port, protocols?}. */ -}}
{{- define "postern.egressTo" -}}
- to: {{- toYaml .to | nindent 4 }}
  ports:
    {{- range .protocols | default (list "TCP") }}
    - { protocol: {{ . }}, port: {{ $.port }} }
    {{- end }}
{{- end }}

{{- /* To what every process needs of the outside: takes {root, stored, blobs}. */ -}}
{{- define "postern.egressToStores" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{ include "postern.egressTo" (merge (dict "protocols" (list "UDP" "TCP")) $policy.dns) }}
{{- if .root.Values.telemetry.endpoint }}
{{ include "postern.egressTo" $policy.collector }}
{{- end }}
{{- if .root.Values.redis.existingSecret }}
{{ include "postern.egressTo" $policy.redis }}
{{- end }}
{{- if .stored }}
{{ include "postern.egressTo" $policy.database }}
{{- if include "postern.usesKafka" .root }}
{{ include "postern.egressTo" $policy.kafka }}
{{- end }}
{{- end }}
{{- if and .blobs .root.Values.blobs.bucket }}
{{ include "postern.egressTo" $policy.blobs }}
{{- end }}
{{- end }}

{{- /* The Internet without what is private; takes {root, ports: [] for all}. */ -}}
{{- define "postern.egressToInternet" -}}
{{- with .root.Values.networkPolicy.privateRanges -}}
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: {{ toJson .ipv4 }} }
    - ipBlock: { cidr: "::/0", except: {{ toJson .ipv6 }} }
{{- end }}
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- else }}
    - { protocol: TCP, port: 1, endPort: 65535 }
    {{- end }}
{{- end }}

{{- /* Where callbacks or mail may go although it is private, as a list; takes {root, component, variable}. */ -}}
{{- define "postern.allowedCidrs" -}}
{{- $given := get .component.config .variable | default (get .root.Values.config .variable) | default "" -}}
{{- regexSplit "\\s*,\\s*" (trim $given) -1 | compact | toJson -}}
{{- end }}
