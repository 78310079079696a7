import type { AuditPort } from '../audit/auditLog.ts';
import type { DecidedBy } from '../audit/events.ts';
import type { Event } from '../base/event.ts';
import type { InputContext, InputHandler } from '../client/mcpClient.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import type { ElicitationResponse, InputRequest, InputResponse } from '../protocol/model.ts';
import { type FormAnswer, formPrompt } from '../prompts/formPrompt.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import { type UrlAnswer, urlPrompt } from '../prompts/urlPrompt.ts';
import { visibleLine } from '../shared/visibleText.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';
import { type InputSubject, inputSubject, recordAnswered, recordAsked } from './inputSubject.ts';
import { settledBy } from './noAnswer.ts';
import type { PromptExpiry } from './promptExpiry.ts';
import type { RunningCalls } from './runningCalls.ts';
import type { SamplingRequests } from './samplingRequests.ts';

export interface InputRequestsPorts {
  readonly queue: PromptQueue;
  readonly audit: AuditPort;
  readonly checker: SchemaChecker;
  readonly running: RunningCalls;
  readonly sampling: SamplingRequests;
  /** Opens a link in the person's browser; false if that failed. */
  readonly openUrl: (url: string) => Promise<boolean>;
  /** The workspace folders that a server may know of; `undefined`: none of its business. */
  readonly roots: (
    serverId: string,
  ) => readonly { readonly uri: string; readonly name?: string }[] | undefined;
  /** Legacy: the server says that the page behind a URL elicitation is finished with. */
  readonly completed: (serverId: string, elicitationId: string) => Event<void> | undefined;
  readonly expiry: () => PromptExpiry;
  /** Tells the person, beside the cards, of what could not be one. */
  readonly tell: (message: string) => void;
  /** A person has typed these for a server, as secrets: they stay off the record when the server says them again. */
  readonly secretsTyped: (secrets: readonly string[]) => void;
}

type Elicitation = InputRequest & { readonly kind: 'elicitationForm' | 'elicitationUrl' };

/** Answers what servers ask for in the middle of a call, by asking the person. The same for both eras. */
export class InputRequests {
  readonly #ports: InputRequestsPorts;

  constructor(ports: InputRequestsPorts) {
    this.#ports = ports;
  }

  /** The handler for one server's requests. */
  handler(serverId: string): InputHandler {
    return (request, context) => this.#answer(serverId, request, context);
  }

  async #answer(serverId: string, request: InputRequest, context: InputContext): Promise<InputResponse> {
    const { audit, running, sampling } = this.#ports;
    const subject = inputSubject(serverId, context, running);
    recordAsked(audit, subject, request);
    switch (request.kind) {
      case 'elicitationForm':
      case 'elicitationUrl':
        return this.#elicit(serverId, request, subject, context);
      case 'sampling':
        return sampling.answer(serverId, request.params, subject, context.signal);
      case 'roots':
        return this.#roots(serverId, subject);
    }
  }

  async #elicit(
    serverId: string,
    request: Elicitation,
    input: InputSubject,
    { signal, retries }: InputContext,
  ): Promise<ElicitationResponse> {
    const { queue, audit } = this.#ports;
    const call = { ...(input.call === undefined ? {} : { call: input.call }), ...this.#ports.expiry() };
    const prompt =
      request.kind === 'elicitationForm'
        ? await formPrompt({ serverId, ...call, ...request }, this.#ports.checker)
        : this.#urlPrompt(serverId, request, call, retries === true);
    input.asking();
    const answer: FormAnswer | UrlAnswer = await queue.ask<FormAnswer | UrlAnswer>(prompt, signal);
    if ('secrets' in answer && answer.secrets !== undefined) this.#ports.secretsTyped(answer.secrets);
    recordAnswered(audit, input, request.kind, answer.kind, settledBy(answer));
    if (answer.kind === 'cancel' && answer.cause === 'unshowable') {
      const what = request.kind === 'elicitationForm' ? 'a form' : 'a link';
      this.#ports.tell(
        `The MCP server "${visibleLine(serverId)}" sent ${what} that is too large to be shown, so it was cancelled.`,
      );
    }
    if (answer.kind !== 'accept') return { kind: 'elicitation', action: answer.kind };
    return 'content' in answer
      ? { kind: 'elicitation', action: 'accept', content: answer.content }
      : { kind: 'elicitation', action: 'accept' };
  }

  #urlPrompt(
    serverId: string,
    request: Elicitation & { readonly kind: 'elicitationUrl' },
    call: Partial<Pick<Parameters<typeof urlPrompt>[0], 'call' | 'expiresInMs'>>,
    retries: boolean,
  ): ReturnType<typeof urlPrompt> {
    const { elicitationId } = request;
    const onCompleted =
      elicitationId === undefined ? undefined : this.#ports.completed(serverId, elicitationId);
    return urlPrompt({
      serverId,
      ...call,
      message: request.message,
      url: request.url,
      open: this.#ports.openUrl,
      // A legacy server that asks by itself waits for the consent only, and says when all is done.
      acceptOnOpen: elicitationId !== undefined && !retries,
      ...(onCompleted === undefined ? {} : { onCompleted }),
    });
  }

  #roots(serverId: string, input: InputSubject): InputResponse {
    const roots = this.#ports.roots(serverId);
    const by: DecidedBy = { kind: 'rule', rule: 'countersign.shareWorkspaceFolders', source: 'user' };
    recordAnswered(this.#ports.audit, input, 'roots', roots === undefined ? 'refused' : 'answered', by);
    if (roots !== undefined) return { kind: 'roots', roots };
    return {
      kind: 'refused',
      code: errorCode.methodNotFound,
      message: 'The folders are not shared with this server.',
    };
  }
}
