/** Whether code of a service declares a consumer of a topic, which has this key in proto/topics.ts. */
export function consumesTopic(code: string, key: string): boolean {
  const alone = `consumer\\((?:\\{\\s*topic:)?\\s*topics\\.${key},`;
  const jointly = `jointConsumers\\(\\{\\s*topics: \\[[^\\]]*\\btopics\\.${key}\\b`;
  return new RegExp(`${alone}|${jointly}`).test(code);
}
