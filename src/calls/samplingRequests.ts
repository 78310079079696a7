import type { AuditPort } from '../audit/auditLog.ts';
import type { DecidedBy } from '../audit/events.ts';
import { raceAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import type { InputResponse } from '../protocol/model.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import { type ReviewAnswer, reviewPrompt } from '../prompts/reviewPrompt.ts';
import { type SamplingAnswer, samplingPrompt } from '../prompts/samplingPrompt.ts';
import { samplingView } from '../prompts/samplingView.ts';
import { visibleLine } from '../shared/visibleText.ts';
import { type InputSubject, recordAnswered } from './inputSubject.ts';
import { noAnswer, settledBy } from './noAnswer.ts';
import type { PromptExpiry } from './promptExpiry.ts';
import { answerParts, withAnswerText } from './samplingAnswer.ts';
import { type SamplingModel, type SamplingModels, judgeModels, suggestedModel } from './samplingModels.ts';

/** What the user lets a server do with language models. */
export interface SamplingSettings {
  readonly mode: 'off' | 'ask' | 'allow';
  /** Most answers in an hour; more are asked even if the mode is `allow`. */
  readonly perHour: number;
}

export interface SamplingRequestsPorts {
  readonly queue: PromptQueue;
  readonly audit: AuditPort;
  readonly models: SamplingModels;
  readonly clock: Clock;
  readonly settings: (serverId: string) => SamplingSettings;
  /** Tells the person of something that needs them, such as that no model is there. */
  readonly tell: (message: string) => void;
  readonly expiry: () => PromptExpiry;
}

const hourMs = 3_600_000;
/** What a person is told of a failure. UTF-16 units. */
const longestReason = 500;

/** Lets servers ask a language model, under the person's eyes: they see what is asked and what is answered. */
export class SamplingRequests {
  readonly #ports: SamplingRequestsPorts;
  /** When answers went out, per server; monotonic milliseconds. */
  readonly #answered = new Map<string, number[]>();

  constructor(ports: SamplingRequestsPorts) {
    this.#ports = ports;
  }

  async answer(
    serverId: string,
    params: JsonObject,
    input: InputSubject,
    signal: AbortSignal,
  ): Promise<InputResponse> {
    const { audit, models } = this.#ports;
    const settings = this.#ports.settings(serverId);
    const refuse = (code: number, message: string, by: DecidedBy): InputResponse => {
      recordAnswered(audit, input, 'sampling', 'refused', by);
      return { kind: 'refused', code, message };
    };
    const bySetting: DecidedBy = { kind: 'rule', rule: 'countersign.sampling', source: 'user' };
    if (settings.mode === 'off')
      return refuse(errorCode.methodNotFound, 'Sampling is switched off for this server.', bySetting);
    const read = samplingView(params);
    if (read.kind === 'malformed') return refuse(errorCode.invalidParams, read.reason, { kind: 'default' });
    const known = await raceAbort(models.list(), signal).catch((): readonly SamplingModel[] => []);
    if (signal.aborted)
      return refuse(errorCode.internalError, 'The request was taken back.', noAnswer('aborted'));
    const { models: judged, fitting, lacking } = judgeModels(known, params);
    if (fitting === 0) {
      const none = lacking === undefined ? 'none is available' : `none that ${lacking} is available`;
      this.#ports.tell(
        `The MCP server "${visibleLine(serverId)}" wants to ask a language model, but ${none}.`,
      );
      const message = `No language model ${lacking === undefined ? '' : `that ${lacking} `}is available.`;
      return refuse(errorCode.internalError, message, { kind: 'default' });
    }

    const list = judged.map(({ model }) => model);
    const suggested = suggestedModel(list.slice(0, fitting), params['modelPreferences']);
    const used = this.#used(serverId);
    let chosen: { readonly modelId: string; readonly params: JsonObject };
    let by: DecidedBy = bySetting;
    if (settings.mode === 'allow' && used < settings.perHour) {
      chosen = { modelId: list[suggested]?.id ?? '', params };
    } else {
      input.asking();
      const answer = await this.#ports.queue.ask(
        samplingPrompt({
          serverId,
          params,
          view: read.view,
          models: judged.map(({ model: { id, label }, lacks }) =>
            lacks === undefined ? { id, label } : { id, label, lacks },
          ),
          suggested,
          usage: `${used} of ${settings.perHour} requests to models this hour`,
          ...(input.call === undefined ? {} : { call: input.call }),
          ...this.#ports.expiry(),
        }),
        signal,
      );
      by = settledBy(answer);
      if (answer.kind === 'cancel' && answer.cause === 'unshowable') {
        this.#ports.tell(
          `The MCP server "${visibleLine(serverId)}" wants to ask a language model, but its question is too large to be shown.`,
        );
        return refuse(errorCode.invalidParams, 'The question is too large to be shown to the user.', by);
      }
      if (answer.kind !== 'sample') return refuse(errorCode.rejectedByUser, rejection(answer), by);
      chosen = answer;
    }

    this.#note(serverId);
    const label = list.find(({ id }) => id === chosen.modelId)?.label ?? chosen.modelId;
    let result: JsonObject;
    try {
      // A model need not heed that nobody waits any more.
      result = await raceAbort(models.ask(chosen.modelId, chosen.params, signal), signal);
    } catch (error) {
      if (signal.aborted)
        return refuse(errorCode.internalError, 'The request was taken back.', noAnswer('aborted'));
      // Its words may hold a part of the answer, an account or a key, and nobody has looked at them.
      const [model, server] = [visibleLine(label), visibleLine(serverId)];
      const why = visibleLine(errorMessage(error), longestReason);
      this.#ports.tell(`The language model "${model}" failed to answer the MCP server "${server}": ${why}`);
      return refuse(errorCode.internalError, 'The language model failed.', by);
    }
    // Who was asked before the model was sees its answer too; beyond the hourly limit that goes for all servers.
    if (by.kind === 'person') {
      const reviewed = await this.#review(serverId, label, result, input, signal);
      if (reviewed.kind !== 'release') {
        const message =
          reviewed.kind === 'withhold'
            ? "The user withheld the model's answer."
            : "Nobody looked at the model's answer, so it is not given.";
        return refuse(errorCode.rejectedByUser, message, settledBy(reviewed));
      }
      if (reviewed.text !== undefined) result = withAnswerText(result, reviewed.text);
    }
    recordAnswered(audit, input, 'sampling', 'answered', by);
    return { kind: 'sampling', result };
  }

  /** The person sees the answer before the server does, and may change or withhold it. */
  async #review(
    serverId: string,
    source: string,
    result: JsonObject,
    input: InputSubject,
    signal: AbortSignal,
  ): Promise<ReviewAnswer> {
    return this.#ports.queue.ask(
      reviewPrompt({
        serverId,
        subject: 'modelAnswer',
        source,
        parts: answerParts(result),
        editable: true,
        ...(input.call === undefined ? {} : { call: input.call }),
        ...this.#ports.expiry(),
      }),
      signal,
    );
  }

  #used(serverId: string): number {
    const since = this.#ports.clock.monotonic() - hourMs;
    const recent = (this.#answered.get(serverId) ?? []).filter((time) => time > since);
    this.#answered.set(serverId, recent);
    return recent.length;
  }

  #note(serverId: string): void {
    this.#answered.set(serverId, [...(this.#answered.get(serverId) ?? []), this.#ports.clock.monotonic()]);
  }
}

function rejection(answer: Exclude<SamplingAnswer, { readonly kind: 'sample' }>): string {
  const byNobody = answer.kind === 'cancel' && answer.cause !== undefined;
  return byNobody ? 'Nobody answered the sampling request.' : 'The user rejected the sampling request.';
}
