{{- /*
Which services each deployment runs, as YAML: component → names.
fleet: each service by itself, or in its group. single: "all", which has every one.
*/ -}}
{{- define "postern.placement" -}}
{{- $services := .Files.Get "files/components.yaml" | fromYaml | keys | sortAlpha -}}
{{- if eq .Values.mode "single" -}}
{{- dict "all" $services | toYaml -}}
{{- else -}}
{{- $placement := dict -}}
{{- $grouped := list -}}
{{- /* null takes a group away that a file of values before has. */ -}}
{{- range $name, $members := .Values.groups | default dict -}}
{{- with $members }}{{ $_ := set $placement $name . }}{{ $grouped = concat $grouped . }}{{ end -}}
{{- end -}}
{{- range $services -}}
{{- if not (has . $grouped) }}{{ $_ := set $placement . (list .) }}{{ end -}}
{{- end -}}
{{- $placement | toYaml -}}
{{- end -}}
{{- end }}

{{- /*
The components of this installation, as YAML: name → what the code says of its services (files/components.yaml), and what values say of it.
  services   those that it runs
  needs      the other components that it calls
  stored     those of its services that have a schema
  blobs      whether it keeps bytes
  backlog    consumer groups whose lag says that more of it would help, as SERVICE.TOPIC; not of what its services hand over without Kafka
*/ -}}
{{- define "postern.components" -}}
{{- $root := . -}}
{{- $facts := .Files.Get "files/components.yaml" | fromYaml -}}
{{- $placement := include "postern.placement" . | fromYaml -}}
{{- $componentOf := dict -}}
{{- range $name, $services := $placement }}{{ range $services }}{{ $_ := set $componentOf . $name }}{{ end }}{{ end -}}
{{- range $name, $services := $placement }}
{{- $needs := list }}{{ $stored := list }}{{ $blobs := false }}{{ $backlog := list }}
{{- $given := deepCopy $root.Values.defaults }}
{{- /* Beneath all that values say: what is usual of one service takes nothing back that they say of another in its group. */}}
{{- if ne $root.Values.mode "single" }}
{{- range $service := $services }}{{ $given = mergeOverwrite $given (get (get $facts $service) "usual" | default dict | deepCopy) }}{{ end }}
{{- end }}
{{- range $service := $services }}
{{- $fact := get $facts $service }}
{{- range $fact.needs }}{{ $needs = append $needs (get $componentOf .) }}{{ end }}
{{- if $fact.isStored }}{{ $stored = append $stored $service }}{{ end }}
{{- $blobs = or $blobs $fact.blobs }}
{{- range $fact.backlog }}
{{- if not (include "postern.isHandedOver" (dict "root" $root "topic" . "services" $services)) }}{{ $backlog = append $backlog (printf "%s.%s" $service .) }}{{ end }}
{{- end }}
{{- /* What is said of a service holds for its group, unless the group's own entry says otherwise. */}}
{{- if ne $root.Values.mode "single" }}{{ $given = mergeOverwrite $given (get $root.Values.components $service | default dict | deepCopy) }}{{ end }}
{{- end }}
{{- $given = mergeOverwrite $given (get $root.Values.components $name | default dict | deepCopy) }}
{{- $fact := dict "name" $name "services" $services "needs" (without ($needs | uniq | sortAlpha) $name) "stored" $stored "blobs" $blobs "backlog" $backlog }}
{{ $name }}:
  {{- merge $fact $given | toYaml | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Whether services of one deployment hand all of a topic's events over without Kafka: nobody else publishes or consumes it. */ -}}
{{- define "postern.isHandedOver" -}}
{{- $topic := get (.root.Files.Get "files/topics.yaml" | fromYaml) .topic -}}
{{- $outside := concat $topic.publishers $topic.consumers -}}
{{- range $service := .services }}{{ $outside = without $outside $service }}{{ end -}}
{{- if not $outside }}true{{ end -}}
{{- end }}

{{- define "postern.stored" -}}
{{- $stored := list -}}
{{- range $name, $fact := .Files.Get "files/components.yaml" | fromYaml -}}
{{- if $fact.isStored }}{{ $stored = append $stored $name }}{{ end -}}
{{- end -}}
{{- toJson $stored -}}
{{- end }}

{{- define "postern.usesKafka" -}}{{ if eq .Values.mode "fleet" }}true{{ end }}{{- end }}

{{- /* Where probes and metrics are: the process that is all of them has one entrance. */ -}}
{{- define "postern.healthPort" -}}{{ if eq . "all" }}http{{ else }}internal{{ end }}{{- end }}
