import type {
  ResultPart,
  ShownBytes,
  ShownMedia,
  ShownText,
  ShownValue,
} from '../../src/shared/resultView.ts';
import { button } from '../common/controls.ts';
import { foreign, make } from '../common/dom.ts';
import { byteSize } from '../common/format.ts';
import { noteLine } from '../cards/notes.ts';
import { jsonTree } from './jsonTree.ts';
import { partFrame } from './partFrame.ts';
import { pictureView } from './pictureView.ts';
import type { PartContext } from './resultPanel.ts';
import { soundView } from './soundView.ts';
import { textFacts, textView } from './textView.ts';

type Shown = Exclude<ResultPart, { readonly kind: 'link' }>;

/** One part of a result. Links have a view of their own. */
export function partView(part: Shown, context: PartContext): HTMLElement {
  const { annotations } = part;
  const { number } = context;
  switch (part.kind) {
    case 'text': {
      const title = `Text${number}`;
      const repeats = part.repeatsStructured === true;
      return partFrame({
        title,
        annotations,
        facts: [...textFacts(part), ...(repeats ? ['the structured content, written out'] : [])],
        buttons: [asText(context)],
        body: [repeats ? folded('Show the text', () => textView(part, title)) : textView(part, title)],
      });
    }
    case 'media': {
      const what = part.media === 'image' ? 'Image' : 'Audio';
      const title = part.isUnchecked === true ? `Unchecked ${what.toLowerCase()} file` : what;
      return mediaFrame(part, part.media, `${title}${number}`, [], context);
    }
    case 'resourceText': {
      const title = `Resource${number}`;
      return partFrame({
        title,
        annotations,
        facts: [...typeFact(part.mimeType), ...textFacts(part)],
        buttons: [asText(context)],
        body: [uriLine(part.uri), textView(part, title)],
      });
    }
    case 'resourceBlob':
      return mediaFrame(part, part.media, `Resource${number}`, [uriLine(part.uri)], context);
    case 'broken':
      return partFrame({
        title: `Broken attachment${number}`,
        annotations,
        facts: [
          ...typeFact(part.claimedType),
          ...(part.size > 0 ? [`${byteSize(part.size)} of base64`] : []),
        ],
        buttons: [],
        body: [
          part.uri === undefined ? undefined : uriLine(part.uri),
          noteLine({ severity: 'caution', message: part.reason }),
        ],
      });
    case 'unknown':
      return partFrame({
        title: `Unknown content${number}`,
        annotations,
        facts: [part.claimedType === '' ? 'no type' : foreign(`type “${part.claimedType}”`)],
        buttons: [asText(context)],
        body: [valueView(part.value, 'Unknown content')],
      });
    case 'structured':
      return partFrame({
        title: 'Structured content',
        annotations,
        facts: [],
        buttons: [asText(context)],
        body: [valueView(part.value, 'Structured content')],
      });
  }
}

/** The address of a resource; never a link of the page. */
export function uriLine(uri: string): HTMLElement {
  return make('p', { class: 'uri', children: [foreign(uri)] });
}

function mediaFrame(
  part: Shown & ShownBytes & { readonly shown: ShownMedia },
  media: 'image' | 'audio' | undefined,
  title: string,
  before: readonly HTMLElement[],
  context: PartContext,
): HTMLElement {
  const { shown, mimeType, bytes } = part;
  const save = button({ label: 'Save…', className: 'small', onClick: () => context.use('save') });
  const facts = [foreign(mimeType), ...sizeFact(shown), byteSize(bytes)];
  const frame = (body: readonly HTMLElement[], buttons: readonly HTMLElement[] = []): HTMLElement =>
    partFrame({
      title,
      annotations: part.annotations,
      facts,
      buttons: [...buttons, save],
      body: [...before, ...body],
    });
  switch (shown.kind) {
    case 'data': {
      const name = `${title}, ${mimeType}, ${byteSize(bytes)}`;
      if (media === 'audio') return frame([soundView(shown.base64, mimeType, name, context)]);
      const picture = pictureView(shown, mimeType, name, context);
      return frame([picture.element], [picture.zoom]);
    }
    case 'source':
      return frame(
        [noteLine({ severity: 'info', message: shown.reason }), textView(shown, title)],
        [asText(context)],
      );
    case 'none': {
      const open = button({ label: 'Open in Tab', className: 'small', onClick: () => context.use('open') });
      return frame(
        [noteLine({ severity: 'info', message: shown.reason })],
        shown.later === true ? [open] : [],
      );
    }
  }
}

function sizeFact(shown: ShownMedia): readonly string[] {
  return shown.kind === 'data' && shown.width !== undefined && shown.height !== undefined
    ? [`${shown.width} × ${shown.height}`]
    : [];
}

export function typeFact(mimeType: string | undefined): readonly HTMLElement[] {
  return mimeType === undefined || mimeType === '' ? [] : [foreign(mimeType)];
}

function valueView(value: ShownValue, label: string): HTMLElement {
  if (value.kind === 'tree') return jsonTree(value.value, label);
  const text: ShownText = value;
  return make('div', {
    class: 'value-text',
    children: [noteLine({ severity: 'info', message: value.reason }), textView(text, label)],
  });
}

function folded(label: string, draw: () => HTMLElement): HTMLElement {
  const details = make('details', { class: 'folded', children: [make('summary', { text: label })] });
  details.addEventListener('toggle', () => details.append(draw()), { once: true });
  return details;
}

function asText(context: PartContext): HTMLElement {
  return button({ label: 'Open as Text', className: 'small', onClick: () => context.use('openPart') });
}
