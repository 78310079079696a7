/* A server on stdio that does as little as possible: `node stdioServer.ts TOOLS`. Answers of one chunk go out in one write. */
import { answerTo } from './answers.ts';

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  let out = '';
  for (const line of lines) {
    const answer = answerTo(line);
    if (answer !== undefined) out += `${answer}\n`;
  }
  if (out !== '') process.stdout.write(out);
});
