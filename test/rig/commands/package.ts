// `npm run package`: makes the `.vsix` that a person installs into their own VS Code.
import path from 'node:path';
import { packageExtension, packageName } from '../packageExtension.ts';
import { repoRoot } from '../paths.ts';

const file = path.join(repoRoot, packageName());
console.log(await packageExtension(file, new AbortController().signal));
console.log(`Install it with: code --install-extension ${path.relative(process.cwd(), file)}`);
