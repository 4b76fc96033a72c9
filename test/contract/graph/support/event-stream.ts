/** Server-sent events as a browser gets them; what `event: email` said so far. */
export class EventStream {
  readonly events: unknown[] = [];
  readonly #abort = new AbortController();

  static async open(url: string, bearer: string): Promise<EventStream> {
    const stream = new EventStream();
    const headers = { authorization: `Bearer ${bearer}`, accept: "text/event-stream" };
    const response = await fetch(url, { headers, signal: stream.#abort.signal });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
    void stream.#read(response.body.pipeThrough(new TextDecoderStream()));
    return stream;
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(chunks: ReadableStream<string>): Promise<void> {
    let rest = "";
    try {
      for await (const chunk of chunks) {
        const blocks = (rest + chunk).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /^event: email\ndata: (.*)$/.exec(block)?.[1];
          if (data !== undefined) this.events.push(JSON.parse(data));
        }
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }
}
