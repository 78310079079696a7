import { HostError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import type { JsonRpcRequest, RequestId } from '../protocol/jsonRpc.ts';
import { method } from '../protocol/methods.ts';
import type { ClientCapabilities } from '../protocol/model.ts';
import { encodeInputResponse, readInputRequest } from '../protocol/wire/inputRequests.ts';
import type { MessageOrigin } from '../transport/transport.ts';
import { askForInput } from './askForInput.ts';
import type { InputHandler } from './mcpClient.ts';
import type { RpcConnection } from './rpcConnection.ts';

/** More questions at once than this are refused. */
const maxOpen = 64;

/** Answers what servers of the legacy eras ask of us on their own account. */
export class ServerRequests {
  readonly #connection: RpcConnection;
  readonly #capabilities: ClientCapabilities;
  readonly #handler: InputHandler;
  readonly #open = new Map<RequestId, AbortController>();

  constructor(connection: RpcConnection, capabilities: ClientCapabilities, handler: InputHandler) {
    this.#connection = connection;
    this.#capabilities = capabilities;
    this.#handler = handler;
  }

  receive(request: JsonRpcRequest, origin: MessageOrigin): void {
    const { id } = request;
    if (request.method === method.ping) return this.#connection.respond({ id, result: {} }, origin.requestId);
    const reading = readInputRequest(request.method, request.params, this.#capabilities);
    if (reading.kind !== 'request') {
      const code = reading.kind === 'unsupported' ? errorCode.methodNotFound : errorCode.invalidParams;
      return this.#refuse(id, code, reading.reason, origin);
    }
    // The id tells one question from another: a second one under an open id could not be answered apart.
    if (this.#open.has(id)) return;
    if (this.#open.size >= maxOpen)
      return this.#refuse(id, errorCode.internalError, 'Too many questions are open.', origin);
    void this.#answer(id, reading.request, origin);
  }

  /** The server takes a request back (`notifications/cancelled`). */
  cancelled(params: JsonObject | undefined): void {
    const id = params?.['requestId'];
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#open.get(id)?.abort(new HostError('cancelled', 'The server took its question back.'));
  }

  async #answer(id: RequestId, request: Parameters<InputHandler>[0], origin: MessageOrigin): Promise<void> {
    const abort = new AbortController();
    this.#open.set(id, abort);
    const related = this.#connection.relatedRequest(origin);
    const resume = this.#connection.pause(related);
    related?.own(abort);
    const signal = AbortSignal.any([abort.signal, this.#connection.ended]);
    const key = String(id);
    const callId = related?.options.callId;
    const response = await askForInput(
      this.#handler,
      request,
      callId === undefined ? { key, signal } : { key, signal, callId },
    );
    related?.disown(abort);
    resume();
    this.#open.delete(id);
    // Nothing is owed to a server that took the question back or is gone.
    if (signal.aborted) return;
    if (response.kind === 'refused') this.#refuse(id, response.code, response.message, origin);
    else this.#connection.respond({ id, result: encodeInputResponse(response) }, origin.requestId);
  }

  #refuse(id: RequestId, code: number, message: string, origin: MessageOrigin): void {
    this.#connection.respond({ id, error: { code, message } }, origin.requestId);
  }
}
