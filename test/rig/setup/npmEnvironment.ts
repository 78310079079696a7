import path from 'node:path';
import { nodePath } from '../paths.ts';

// What an npm that runs us says about itself and its folder. An npm below would believe it: install into our
// folder, and claim to run under the other's version of Node.
const said =
  /^(npm_(lifecycle|package|command|node_execpath|execpath)|npm_config_(local_prefix|user_agent)$|INIT_CWD$)/i;

/** Environment for an npm in another folder, under the rig's own Node. Configured registries and proxies stay. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !said.test(name));
  return {
    ...Object.fromEntries(own),
    PATH: `${path.dirname(nodePath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
  };
}
