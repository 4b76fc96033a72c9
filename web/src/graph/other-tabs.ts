/** What a tab of the browser tells the others: something was changed, or who was signed in is not any more. */
type News = "changed" | "signed-out";

const channel = new BroadcastChannel("postern");

export function tellOtherTabs(news: News): void {
  channel.postMessage(news);
}

/** @returns what ends it */
export function listenToOtherTabs(onNews: (news: News) => void): () => void {
  const listener = ({ data }: MessageEvent<News>) => onNews(data);
  channel.addEventListener("message", listener);
  return () => channel.removeEventListener("message", listener);
}
