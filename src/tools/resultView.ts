import type { JsonValue } from '../base/json.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import { writeJson } from '../base/writeJson.ts';
import { lostNumberTexts } from '../protocol/lostNumbers.ts';
import type { ContentAnnotations } from '../protocol/model.ts';
import type {
  PartAnnotations,
  ResultLead,
  ResultPart,
  ResultView,
  ShownBytes,
  ShownMedia,
  ShownText,
  ShownValue,
} from '../shared/resultView.ts';
import type { CheckedBlock, CheckedResult, StructuredCheck } from './checkResult.ts';
import { isFaithfulJson } from './faithfulJson.ts';
import { measureJson } from './jsonMeasure.ts';
import { checkMediaType, fileExtension } from './mediaType.ts';
import { judgePicture } from './pictureBounds.ts';
import type { ModelResult } from './resultForModel.ts';
import { wholeCharacter } from './resultStore.ts';
import { textOfFile } from './textEnding.ts';

/** How much of a result goes to a page. What is left out is said, and can be opened or saved. */
export interface ViewLimits {
  /** UTF-16 units of one text, and of all texts together. */
  readonly text: number;
  readonly allText: number;
  /** Bytes of one picture or sound, and of all together. */
  readonly media: number;
  readonly allMedia: number;
  /** Values in one JSON tree. */
  readonly values: number;
  readonly parts: number;
  /** There is a place with more room. */
  readonly isSmall: boolean;
}

const megabyte = 1024 * 1024;

/** For the card of a call. */
export const cardLimits: ViewLimits = {
  text: 100_000,
  allText: 400_000,
  media: 4 * megabyte,
  allMedia: 8 * megabyte,
  values: 20_000,
  parts: 200,
  isSmall: true,
};

/** For a tab of its own. */
export const tabLimits: ViewLimits = {
  text: 2_000_000,
  allText: 8_000_000,
  media: 32 * megabyte,
  allMedia: 64 * megabyte,
  values: 300_000,
  parts: 5_000,
  isSmall: false,
};

const deepestTree = 200;
/** Characters of a name, a URI, a type. */
const longestName = 10_000;

/** A checked result for a page to show, whole or with what is left out said; with pauses. Never rejects. */
export async function resultView(
  about: Pick<ResultView, 'subject' | 'serverId' | 'title'>,
  result: CheckedResult,
  leads: readonly ResultLead[],
  limits: ViewLimits,
): Promise<ResultView> {
  const slice = new TimeSlice();
  const builder = new ViewBuilder(limits, slice);
  const { blocks, structured } = result;
  const parts: ResultPart[] = [];
  for (const [index, block] of blocks.slice(0, limits.parts).entries()) {
    parts.push(await builder.part(block, index === result.structuredTextIndex));
    if (slice.isUsedUp) await slice.pause();
  }
  const cut: readonly ResultLead[] =
    blocks.length > limits.parts
      ? [lead('info', `Only the first ${limits.parts} of ${blocks.length} parts are shown here.`)]
      : [];
  if ('value' in structured) parts.push({ kind: 'structured', value: await builder.value(structured.value) });
  const { subject, serverId, title } = about;
  return { subject, serverId, title, leads: [...checkLeads(result), ...leads, ...cut], parts };
}

/** What has to be said before the parts: an error, a failed check. */
function checkLeads({ isError, structured, lostNumbers = [] }: CheckedResult): readonly ResultLead[] {
  const numbers = lostNumberTexts(lostNumbers).map((text) => cut(text, 2_000));
  return [
    ...(isError ? [lead('caution', 'The tool reports an error.')] : []),
    ...structuredLeads(structured),
    ...(numbers.length === 0
      ? []
      : [lead('caution', 'Failed check: the result has numbers that cannot be kept exactly.', numbers)]),
  ];
}

function structuredLeads(check: StructuredCheck): readonly ResultLead[] {
  switch (check.kind) {
    case 'missing':
      return [
        lead(
          'caution',
          'Failed check: the tool promises structured content, and none came. What came is below.',
        ),
      ];
    case 'invalid': {
      const details = check.problems.map(
        ({ path, message }) => `${path === '' ? 'the whole' : path}: ${message}`,
      );
      const shown = details.slice(0, 100).map((detail) => cut(detail, 2_000));
      return [lead('caution', 'Failed check: the structured content is not what the tool promises.', shown)];
    }
    case 'unchecked':
      return [
        lead('caution', 'The structured content could not be checked.', [cut(check.reason, longestName)]),
      ];
    case 'absent':
    case 'unpromised':
    case 'valid':
      return [];
  }
}

/** Something to say before the parts of a result. */
export function lead(
  severity: ResultLead['severity'],
  message: string,
  details: readonly string[] = [],
): ResultLead {
  return { severity, message, details };
}

/** For a person: how much of a long result the model was given. */
export function cutLead({ shown, total }: NonNullable<ModelResult['cut']>): ResultLead {
  const rest = 'It can read the rest in pieces; here it is whole.';
  return lead('info', `The model gets ${shown} of ${total} characters at once. ${rest}`);
}

/** Spends the room that a page has, part by part. */
class ViewBuilder {
  readonly #limits: ViewLimits;
  readonly #slice: TimeSlice;
  #text: number;
  #media: number;

  constructor(limits: ViewLimits, slice: TimeSlice) {
    this.#limits = limits;
    this.#slice = slice;
    this.#text = limits.allText;
    this.#media = limits.allMedia;
  }

  async part(block: CheckedBlock, repeatsStructured: boolean): Promise<ResultPart> {
    const annotations = shownAnnotations(block.annotations);
    const part = await this.#part(block, repeatsStructured);
    return { ...(annotations === undefined ? {} : { annotations }), ...part };
  }

  async value(value: JsonValue): Promise<ShownValue> {
    const measured = measureJson(value, {
      depth: deepestTree,
      values: this.#limits.values,
      characters: Math.min(this.#limits.text * 2, this.#text),
    });
    if (measured.kind === 'within') {
      this.#text -= measured.characters;
      return { kind: 'tree', value };
    }
    const reason =
      measured.bound === 'depth' ? 'It is nested too deeply for a tree.' : 'It is too large for a tree here.';
    return { kind: 'text', reason, ...(await this.#writtenOut(value)) };
  }

  /** The beginning of the value's text; how long the whole would be nobody needs to know. */
  async #writtenOut(value: JsonValue): Promise<ShownText> {
    const most = Math.min(this.#limits.text, Math.max(0, this.#text));
    const { pieces, length, isWhole } = await writeJson(value, { indent: 2, most }, this.#slice);
    const text = pieces.join('');
    if (isWhole) return this.#shownText(text, false);
    const shown = text.slice(0, wholeCharacter(text, Math.min(most, text.length)));
    this.#text -= shown.length;
    return { text: shown, total: length, isMore: true };
  }

  async #part(block: CheckedBlock, repeatsStructured: boolean): Promise<ResultPart> {
    switch (block.kind) {
      case 'text':
        return {
          kind: 'text',
          ...(await this.#shownText(block.text)),
          ...(repeatsStructured ? { repeatsStructured } : {}),
        };
      case 'media': {
        const { media, mimeType, data, isUnchecked } = block;
        if (isUnchecked === true) {
          const shown = await this.#shownFile(mimeType, data);
          return { kind: 'media', media, isUnchecked, shown, ...shownBytes(mimeType, data) };
        }
        return {
          kind: 'media',
          media,
          shown: await this.#shownMedia(media, mimeType, data),
          ...shownBytes(mimeType, data),
        };
      }
      case 'link': {
        const { uri, name, title, description, mimeType, size } = block.link;
        return {
          kind: 'link',
          uri: cut(uri),
          name: cut(name),
          ...(title === undefined ? {} : { title: cut(title) }),
          ...(description === undefined ? {} : { description: cut(description) }),
          ...(mimeType === undefined ? {} : { mimeType: cut(mimeType) }),
          ...(size === undefined ? {} : { size }),
        };
      }
      case 'resourceText': {
        const { uri, mimeType, text } = block;
        const type = mimeType === undefined ? {} : { mimeType: cut(mimeType) };
        return { kind: 'resourceText', uri: cut(uri), ...type, ...(await this.#shownText(text)) };
      }
      case 'resourceBlob': {
        const { uri, mimeType, data } = block;
        const media = mediaOf(mimeType, data);
        const shown =
          media === undefined
            ? await this.#shownFile(mimeType, data)
            : await this.#shownMedia(media, mimeType, data);
        return {
          kind: 'resourceBlob',
          uri: cut(uri),
          ...(media === undefined ? {} : { media }),
          shown,
          ...shownBytes(mimeType, data),
        };
      }
      case 'broken': {
        const { claimedType, reason, size, uri } = block;
        return {
          kind: 'broken',
          claimedType: cut(claimedType),
          reason: cut(reason),
          size,
          ...(uri === undefined ? {} : { uri: cut(uri) }),
        };
      }
      case 'unknown':
        return { kind: 'unknown', claimedType: cut(block.claimedType), value: await this.value(block.raw) };
    }
  }

  async #shownText(full: string, mayBeJson = true): Promise<ShownText> {
    const text = full.slice(
      0,
      wholeCharacter(full, Math.min(this.#limits.text, Math.max(0, this.#text), full.length)),
    );
    this.#text -= text.length;
    if (text.length < full.length) return { text, total: full.length };
    return mayBeJson && (await isFaithfulJson(text, this.#slice)) ? { text, isJson: true } : { text };
  }

  async #shownFile(mimeType: string, data: Uint8Array): Promise<ShownMedia> {
    const text = textOfFile(mimeType, data);
    if (text === undefined) return { kind: 'none', reason: unshownReason(mimeType) };
    return { kind: 'source', reason: 'This text came as a file.', ...(await this.#shownText(text)) };
  }

  async #shownMedia(media: 'image' | 'audio', mimeType: string, data: Uint8Array): Promise<ShownMedia> {
    if (mimeType === 'image/svg+xml') {
      const reason = 'An SVG can hold programs, so its source is shown instead of the picture.';
      return {
        kind: 'source',
        reason,
        ...(await this.#shownText(Buffer.from(data).toString('utf8'), false)),
      };
    }
    const verdict = media === 'image' ? judgePicture(mimeType, data) : ({ kind: 'drawable' } as const);
    if (verdict.kind === 'refused') return { kind: 'none', reason: verdict.reason };
    const { isSmall } = this.#limits;
    if (data.length > Math.min(this.#limits.media, this.#media)) {
      return {
        kind: 'none',
        reason: 'It is too large to be shown here.',
        ...(isSmall ? { later: true } : {}),
      };
    }
    this.#media -= data.length;
    const { kind: _kind, ...size } = verdict;
    return { kind: 'data', base64: Buffer.from(data).toString('base64'), ...size };
  }
}

function shownBytes(mimeType: string, data: Uint8Array): ShownBytes {
  return { mimeType: cut(mimeType, 1_000), bytes: data.length, extension: fileExtension(data) };
}

/** Pictures and sounds come here only if no bytes tell their type. */
function unshownReason(mimeType: string): string {
  const isMedia = mimeType.startsWith('image/') || mimeType.startsWith('audio/');
  return isMedia
    ? 'Unchecked: no first bytes are known by which this type could be told. It is kept, and can be saved.'
    : 'Files of this type are not shown.';
}

/** Only what the bytes confirm is drawn or played. */
function mediaOf(mimeType: string, data: Uint8Array): 'image' | 'audio' | undefined {
  if (checkMediaType(mimeType, data).kind !== 'right') return undefined;
  return mimeType.startsWith('image/') ? 'image' : mimeType.startsWith('audio/') ? 'audio' : undefined;
}

function shownAnnotations(annotations: ContentAnnotations | undefined): PartAnnotations | undefined {
  if (annotations === undefined) return undefined;
  const { audience, priority, lastModified } = annotations;
  if ((audience?.length ?? 0) === 0 && priority === undefined && lastModified === undefined) return undefined;
  return {
    ...(audience === undefined || audience.length === 0 ? {} : { audience: Array.from(new Set(audience)) }),
    ...(priority === undefined ? {} : { priority }),
    ...(lastModified === undefined ? {} : { lastModified: cut(lastModified, 100) }),
  };
}

function cut(text: string, max = longestName): string {
  return text.length <= max
    ? text
    : `${text.slice(0, wholeCharacter(text, max))}… (${text.length} characters)`;
}
