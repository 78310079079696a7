import type { AuditLog } from '../audit/auditLog.ts';
import { OtlpExporter } from '../audit/export/otlpExporter.ts';
import { postOtlp } from '../audit/export/otlpHttp.ts';
import { systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import type { CollectorSettings } from './auditSettings.ts';

export interface CollectorPorts {
  readonly audit: AuditLog;
  /** Of this extension. */
  readonly version: string;
  /** For a log. */
  readonly log: (message: string) => void;
  /** For the person, the first time that something goes wrong with an endpoint. */
  readonly tell: (message: string) => void;
}

const lastFlushMs = 2_000;

/** Sends finished calls to the collector of the settings, if there is one. No call ever waits for it. */
export class Collector implements Disposable {
  readonly #ports: CollectorPorts;
  #exporter: OtlpExporter | undefined;
  /** Ends what the exporter of now is told; what it has already, it still sends. */
  #stop = new AbortController();
  #settings = '';

  constructor(ports: CollectorPorts) {
    this.#ports = ports;
  }

  /** `undefined`: off. */
  configure(settings: CollectorSettings | undefined): void {
    const text = JSON.stringify(settings ?? null);
    if (text === this.#settings) return;
    this.#settings = text;
    const before = this.#exporter;
    this.#exporter = undefined;
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    void before?.flush().finally(() => before.dispose());
    if (settings === undefined) return;
    let told = false;
    const onProblem = (message: string): void => {
      this.#ports.log(message);
      if (told) return;
      told = true;
      this.#ports.tell(
        `Calls are not exported. ${message} Calls go on; see the Countersign log for later problems.`,
      );
    };
    const { audit, version } = this.#ports;
    try {
      this.#exporter = new OtlpExporter(
        { ...settings, version, sessionId: audit.sessionId },
        (listener) => audit.onRecorded((record) => signal.aborted || listener(record)),
        { post: postOtlp, clock: systemClock, onProblem },
      );
    } catch (error) {
      onProblem(`"countersign.audit.otlp.endpoint" cannot be used: ${errorMessage(error)}`);
    }
  }

  /** Sends what waits, for the end of a window; gives up soon, since windows must close. */
  async flush(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = systemClock.after(lastFlushMs, resolve);
    await Promise.race([this.#exporter?.flush(), promise]);
    timer.dispose();
  }

  dispose(): void {
    this.#exporter?.dispose();
    this.#exporter = undefined;
  }
}
