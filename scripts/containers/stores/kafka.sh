#!/bin/sh
# Begins as the official image does: KAFKA_NODE_ID of the environment is the setting node.id, and so on.
set -e
env | sed -n 's/^KAFKA_\([A-Z_]*\)=/\1\n/p' | while read -r name && read -r value; do
  echo "$(echo "$name" | tr 'A-Z_' 'a-z.')=$value"
done > /tmp/server.properties
format="kafka.tools.StorageTool format --ignore-formatted --cluster-id P0stern0fAC1usterAll0W --config /tmp/server.properties"
java -cp "/opt/kafka/*" $format
exec java -Xmx512m -XX:+UseSerialGC -cp "/opt/kafka/*" kafka.Kafka /tmp/server.properties
