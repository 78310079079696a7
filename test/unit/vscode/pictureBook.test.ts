import assert from 'node:assert/strict';
import type { Icon } from '../../../src/protocol/model.ts';
import { type LoadedPicture, PictureBook } from '../../../src/vscode/pictureBook.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const icons = (src: string): readonly Icon[] => [{ src }];
const settled = (): Promise<void> => new Promise(setImmediate);

/** A book whose pictures are what `answer` says, with a list of what was asked for. */
function bookOf(answer: (src: string) => LoadedPicture<string> | undefined): {
  readonly book: PictureBook<string>;
  readonly asked: string[];
  readonly news: () => number;
} {
  const asked: string[] = [];
  let news = 0;
  const book = new PictureBook<string>(
    async ([icon], theme) => {
      asked.push(`${icon?.src} ${theme}`);
      return answer(icon?.src ?? '');
    },
    () => (news += 1),
  );
  return { book, asked, news: () => news };
}

describe('the pictures of a server', () => {
  it('are fetched once each, and anew for another theme', async () => {
    const { book, asked, news } = bookOf((src) => ({ picture: src, size: 1 }));
    const a = icons('a');
    assert.equal(book.get(a, 'dark'), undefined);
    assert.equal(book.get(a, 'dark'), undefined);
    await settled();
    assert.equal(book.get(a, 'dark'), 'a');
    assert.equal(book.get(a, 'light'), undefined);
    await settled();
    assert.equal(book.get(a, 'light'), 'a');
    assert.deepEqual(asked, ['a dark', 'a light']);
    assert.equal(news(), 2);
  });

  it('are tried again after a failure when the definitions may have changed, and not before', async () => {
    let works = false;
    const { book, asked } = bookOf((src) => (works ? { picture: src, size: 1 } : undefined));
    const [a, b] = [icons('a'), icons('b')];
    book.get(a, 'dark');
    await settled();
    works = true;
    book.get(a, 'dark');
    book.get(b, 'dark');
    await settled();
    assert.deepEqual(asked, ['a dark', 'b dark']);
    book.renew();
    assert.equal(book.get(a, 'dark'), undefined);
    assert.equal(book.get(b, 'dark'), 'b', 'what is in use stays');
    await settled();
    assert.equal(book.get(a, 'dark'), 'a');
    assert.deepEqual(asked, ['a dark', 'b dark', 'a dark']);
  });

  it('are given up with the definitions that named them', async () => {
    const { book, asked } = bookOf((src) => ({ picture: src, size: 1 }));
    const a = icons('a');
    book.get(a, 'dark');
    await settled();
    book.renew();
    book.renew();
    assert.equal(book.get(a, 'dark'), undefined);
    await settled();
    assert.equal(asked.length, 2);
  });

  it('are bounded in number and in bytes, and what has no room is not asked for again and again', async () => {
    const { book, asked } = bookOf((src) => ({ picture: src, size: 1 }));
    const all = Array.from({ length: 1_500 }, (_, index) => icons(String(index)));
    for (let round = 0; round < 3; round += 1) {
      for (const each of all) book.get(each, 'dark');
      await settled();
    }
    assert.equal(asked.length, 1_000);
    const large = bookOf((src) => ({ picture: src, size: 5 * 1024 * 1024 }));
    for (let round = 0; round < 3; round += 1) {
      for (const each of all.slice(0, 10)) large.book.get(each, 'dark');
      await settled();
    }
    const kept = all.slice(0, 10).filter((each) => large.book.get(each, 'dark') !== undefined);
    assert.equal(kept.length, 3);
    assert.equal(large.asked.length, 10);
  });
});
