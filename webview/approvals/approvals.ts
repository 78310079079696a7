import { listen, post } from '../common/host.ts';
import { ResultPage } from '../results/resultPage.ts';
import { ApprovalsPage } from './approvalsPage.ts';

const root = document.querySelector<HTMLElement>('#page');
if (root !== null) {
  // One script for both pages: most of what they need is the same.
  const isResult = document.documentElement.dataset['page'] === 'result';
  const page = isResult ? new ResultPage(root) : new ApprovalsPage(root);
  listen((message) => page.receive(message));
  post({ kind: 'ready' });
}
