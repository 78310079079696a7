import { listen, post } from '../common/host.ts';
import { ApprovalsPage } from './approvalsPage.ts';

const root = document.querySelector<HTMLElement>('#page');
if (root !== null) {
  const page = new ApprovalsPage(root);
  listen((message) => page.receive(message));
  post({ kind: 'ready' });
}
