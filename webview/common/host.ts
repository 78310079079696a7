import { decode } from '../../src/shared/decode.ts';
import { type HostMessage, hostMessage } from '../../src/shared/hostMessage.ts';
import type { PageMessage } from '../../src/shared/pageMessage.ts';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const api = acquireVsCodeApi();

/** Sends a message to the extension. */
export function post(message: PageMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's API has no origin
  api.postMessage(message);
}

/** Hands every well-formed message of the extension to the handler; others are reported and dropped. */
export function listen(handle: (message: HostMessage) => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const decoded = decode(hostMessage, event.data);
    if (decoded.ok) handle(decoded.value);
    else post({ kind: 'problem', text: `A message was dropped: ${decoded.problem}` });
  });
}
