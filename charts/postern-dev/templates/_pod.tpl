{{- define "dev.labels" -}}
app.kubernetes.io/part-of: postern-dev
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/name: {{ .name }}
{{- end }}

{{- /* A server with a service of its name; takes {root, name, image, user, port, data, env}, and args if it has any. */ -}}
{{- define "dev.server" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels: {{- include "dev.labels" . | nindent 4 }}
spec:
  selector: {{- include "dev.labels" . | nindent 4 }}
  # A broker has to find itself before it is ready.
  publishNotReadyAddresses: true
  ports: [{ name: {{ .name }}, port: {{ .port }} }]
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels: {{- include "dev.labels" . | nindent 4 }}
spec:
  replicas: 1
  strategy: { type: Recreate }
  selector:
    matchLabels: {{- include "dev.labels" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "dev.labels" . | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext: { runAsNonRoot: true, runAsUser: {{ .user }}, fsGroup: {{ .user }}, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: {{ .name }}
          image: {{ .image }}
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          ports: [{ name: {{ .name }}, containerPort: {{ .port }} }]
          {{- with .args }}
          args: {{ . | toJson }}
          {{- end }}
          {{- with .env }}
          env:
            {{- range $name, $value := . }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          {{- end }}
          readinessProbe: { tcpSocket: { port: {{ .name }} }, periodSeconds: 2 }
          resources: { requests: { cpu: 100m, memory: 128Mi }, limits: { memory: 1Gi } }
          volumeMounts: [{ name: data, mountPath: {{ .data }} }]
      volumes: [{ name: data, emptyDir: {} }]
{{- end }}
