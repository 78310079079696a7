import assert from 'node:assert/strict';
import { pageHtml } from '../../../src/prompts/pageHtml.ts';
import { it } from '../../helpers/nodeTest.ts';

it('the page lets in its own script and styles, and nothing else', () => {
  const html = pageHtml({
    page: 'approvals',
    cspSource: 'https://editor.example',
    nonce: 'n0nce',
    script: 'https://editor.example/a.js',
    style: 'https://editor.example/a.css',
    place: 'view',
  });
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
  assert.deepEqual(policy?.split('; '), [
    `default-src 'none'`,
    `script-src 'nonce-n0nce'`,
    `style-src https://editor.example 'nonce-n0nce'`,
    `img-src blob:`,
    `media-src blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types fast-html`,
  ]);
  // The policy counts only for what stands behind it.
  assert.ok(html.indexOf('Content-Security-Policy') < html.search(/<script|<link/));
});
