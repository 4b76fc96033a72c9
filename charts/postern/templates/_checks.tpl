{{- /* Values that are each right and together wrong. What is wrong in itself, values.schema.json refuses. */ -}}
{{- define "postern.checks" -}}
{{- $faults := list -}}
{{- $v := .Values -}}
{{- $fleet := eq $v.mode "fleet" -}}
{{- if and $fleet (not $v.kafka.brokers) -}}
{{- $faults = append $faults "kafka.brokers is empty: the services of a fleet speak by Kafka. Name its brokers, or set mode to single." -}}
{{- end -}}
{{- if and $fleet (not $v.redis.existingSecret) -}}
{{- $faults = append $faults "redis.existingSecret is empty: without Redis each replica would count limits for itself. Name the Secret that holds REDIS_URL." -}}
{{- end -}}
{{- if and (not $fleet) (gt (int $v.components.all.replicas) 1) -}}
{{- $faults = append $faults "components.all.replicas is more than 1: one process has all services in mode single. For more than one set mode to fleet." -}}
{{- end -}}
{{- $facts := .Files.Get "files/components.yaml" | fromYaml -}}
{{- $grouped := list -}}
{{- $groups := $v.groups | default dict -}}
{{- range $name, $services := $groups -}}
{{- $services = $services | default list -}}
{{- if or (hasKey $facts $name) (has $name (list "all" "migrations" "test")) -}}
{{- $faults = append $faults (printf "groups.%s has the name of something else: choose another." $name) -}}
{{- end -}}
{{- if eq (len $services) (len $facts) -}}
{{- $faults = append $faults (printf "groups.%s has every service: for that set mode to single, or leave one out." $name) -}}
{{- end -}}
{{- range $services -}}
{{- if has . $grouped -}}
{{- $faults = append $faults (printf "groups has %s twice: a service is in one group. The group mail is there unless values take it away: groups: { mail: null }." .) -}}
{{- end -}}
{{- $grouped = append $grouped . -}}
{{- end -}}
{{- end -}}
{{- range $name, $said := $v.components -}}
{{- if and $said (not (or (hasKey $facts $name) (hasKey $groups $name) (eq $name "all"))) -}}
{{- $faults = append $faults (printf "components.%s is neither a service nor a group." $name) -}}
{{- end -}}
{{- end -}}
{{- if gt (int $v.kafka.topics.minInsyncReplicas) (int $v.kafka.topics.replication) -}}
{{- $faults = append $faults "kafka.topics.minInsyncReplicas is more than kafka.topics.replication: no event would ever be taken." -}}
{{- else if and (gt (int $v.kafka.topics.replication) 1) (eq (int $v.kafka.topics.minInsyncReplicas) (int $v.kafka.topics.replication)) -}}
{{- $faults = append $faults "kafka.topics.minInsyncReplicas equals kafka.topics.replication: one broker at rest would stop all mail. Set it one lower." -}}
{{- end -}}
{{- if and (ne $v.kafka.sasl.mechanism "none") (not $v.kafka.sasl.existingSecret) -}}
{{- $faults = append $faults (printf "kafka.sasl.mechanism is %s, but kafka.sasl.existingSecret names no Secret with the user and password." $v.kafka.sasl.mechanism) -}}
{{- end -}}
{{- if and (eq $v.outbound.mode "relay") (not $v.outbound.existingSecret) -}}
{{- $faults = append $faults "outbound.mode is relay, but outbound.existingSecret names no Secret with the relay's URL." -}}
{{- end -}}
{{- if and (ne $v.outbound.mode "relay") $v.outbound.existingSecret -}}
{{- $faults = append $faults (printf "outbound.existingSecret is set, but outbound.mode is %s and would not use it. Set it to relay." $v.outbound.mode) -}}
{{- end -}}
{{- with $v.smtp -}}
{{- if and .proxyProtocol.enabled (not .proxyProtocol.cidrs) -}}
{{- $faults = append $faults "smtp.proxyProtocol.enabled is true, but smtp.proxyProtocol.cidrs is empty: nobody is trusted to say who the client is." -}}
{{- end -}}
{{- if and (eq .service.externalTrafficPolicy "Cluster") (ne .service.type "ClusterIP") (not .proxyProtocol.enabled) -}}
{{- $faults = append $faults "smtp.service.externalTrafficPolicy is Cluster without PROXY protocol: every client would seem to be one of the cluster's nodes, to limits and to SPF. Set it to Local, or enable smtp.proxyProtocol." -}}
{{- end -}}
{{- if and .tls.existingSecret .tls.certManager.enabled -}}
{{- $faults = append $faults "smtp.tls.existingSecret and smtp.tls.certManager.enabled are both set: choose one." -}}
{{- end -}}
{{- if and .tls.certManager.enabled (not .tls.certManager.issuerRef.name) -}}
{{- $faults = append $faults "smtp.tls.certManager.enabled is true, but smtp.tls.certManager.issuerRef.name names no issuer." -}}
{{- end -}}
{{- if and .service.nodePort (ne .service.type "NodePort") -}}
{{- $faults = append $faults (printf "smtp.service.nodePort is set, but smtp.service.type is %s." .service.type) -}}
{{- end -}}
{{- end -}}
{{- with $v.http -}}
{{- if and (or .ingress.enabled .gateway.enabled) (eq (include "postern.proxyHops" $) "0") -}}
{{- $faults = append $faults "http.trustedProxyHops is 0 behind an Ingress or a Gateway: every client would seem to be the proxy, and be limited as one. Leave it out, or say how many proxies there are." -}}
{{- end -}}
{{- if and .gateway.enabled (not .gateway.parentRefs) -}}
{{- $faults = append $faults "http.gateway.enabled is true, but http.gateway.parentRefs names no Gateway." -}}
{{- end -}}
{{- if and .ingress.enabled .ingress.tls.enabled (not (hasPrefix "https://" $v.publicUrl)) -}}
{{- $faults = append $faults "http.ingress.tls.enabled is true, but publicUrl does not begin with https://: links would lead past it." -}}
{{- end -}}
{{- end -}}
{{- if and $v.blobs.existingSecret (not $v.blobs.bucket) -}}
{{- $faults = append $faults "blobs.existingSecret is set, but blobs.bucket is empty: bytes would go to PostgreSQL." -}}
{{- end -}}
{{- range $name, $component := include "postern.components" . | fromYaml -}}
{{- with $component.autoscaling -}}
{{- if and .cpu.enabled .kafka.enabled -}}
{{- $faults = append $faults (printf "components.%s.autoscaling has both cpu and kafka enabled: two scalers would pull at one deployment.%s" $name (ternary " A group takes over what is said of its services; ingress, gateway and rest have cpu enabled unless values say otherwise." "" (hasKey ($v.groups | default dict) $name))) -}}
{{- end -}}
{{- if and .kafka.enabled (not $component.backlog) -}}
{{- $faults = append $faults (printf "components.%s.autoscaling.kafka.enabled is true, but no lag says that more of it would help; use autoscaling.cpu." $name) -}}
{{- end -}}
{{- if and .kafka.enabled (include "postern.isHandedOver" (dict "root" $ "topic" "mail.accepted" "services" $component.services)) -}}
{{- $faults = append $faults (printf "components.%s.autoscaling.kafka.enabled is true, but its services hand accepted mail to each other without Kafka, so that there is no lag; use autoscaling.cpu." $name) -}}
{{- end -}}
{{- if and .kafka.enabled (gt (int .kafka.maxReplicas) (int $v.kafka.topics.partitions)) -}}
{{- $faults = append $faults (printf "components.%s.autoscaling.kafka.maxReplicas is more than kafka.topics.partitions: the rest would have nothing to read." $name) -}}
{{- end -}}
{{- range $kind, $scaler := . -}}
{{- if and $scaler.enabled (gt (int $scaler.minReplicas) (int $scaler.maxReplicas)) -}}
{{- $faults = append $faults (printf "components.%s.autoscaling.%s.minReplicas is more than its maxReplicas." $name $kind) -}}
{{- end -}}
{{- if and $scaler.enabled (eq $name "all") -}}
{{- $faults = append $faults "components.all.autoscaling is enabled: one process has all services in mode single." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $v.networkPolicy.enabled -}}
{{- $used := dict "dns" true "database" true "kafka" $fleet "redis" $v.redis.existingSecret "blobs" $v.blobs.bucket "collector" $v.telemetry.endpoint "relay" (eq $v.outbound.mode "relay") -}}
{{- range $destination, $isUsed := $used -}}
{{- if and $isUsed (not (get $v.networkPolicy $destination).to) -}}
{{- $faults = append $faults (printf "networkPolicy.%s.to is empty: say where it is, as NetworkPolicy peers, or set networkPolicy.enabled to false." $destination) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $faults -}}
{{- fail (printf "\n\n%s\n" (join "\n" $faults)) -}}
{{- end -}}
{{- end }}
