/** A published server of the corpus. */
export interface CorpusServer {
  /** The npm package; its first command is started. */
  readonly name: string;
  readonly version: string;
  readonly args?: readonly string[];
  /** Already here as a development dependency, so every test run looks at it too. */
  readonly isInstalled?: boolean;
}

/** Servers that start without a network and without keys, pinned. None of their tools is ever called. */
export const CORPUS: readonly CorpusServer[] = [
  {
    name: '@modelcontextprotocol/server-everything',
    version: '2026.8.31',
    args: ['stdio'],
    isInstalled: true,
  },
  { name: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', args: ['.'], isInstalled: true },
  { name: '@aashari/mcp-server-atlassian-jira', version: '3.3.0' },
  { name: '@antv/mcp-server-chart', version: '0.9.10', isInstalled: true },
  { name: '@currents/mcp', version: '2.1.1' },
  { name: '@cyanheads/git-mcp-server', version: '2.15.3' },
  { name: '@drawio/mcp', version: '1.6.1' },
  { name: '@eslint/mcp', version: '0.3.13' },
  { name: '@executeautomation/playwright-mcp-server', version: '1.0.12' },
  { name: '@mapbox/mcp-server', version: '0.14.0' },
  { name: '@mobilenext/mobile-mcp', version: '1.0.4' },
  { name: '@modelcontextprotocol/server-github', version: '2025.4.8', isInstalled: true },
  { name: '@modelcontextprotocol/server-memory', version: '2026.8.31', isInstalled: true },
  {
    name: '@modelcontextprotocol/server-postgres',
    version: '0.6.2',
    args: ['postgresql://127.0.0.1:1/none'],
  },
  { name: '@modelcontextprotocol/server-sequential-thinking', version: '2026.8.31', isInstalled: true },
  { name: '@mui/mcp', version: '0.1.6' },
  { name: '@notionhq/notion-mcp-server', version: '2.5.2' },
  { name: '@openbnb/mcp-server-airbnb', version: '0.3.0' },
  { name: '@pinecone-database/mcp', version: '0.3.0' },
  { name: '@playwright/mcp', version: '0.0.83' },
  { name: '@softeria/ms-365-mcp-server', version: '0.155.0' },
  { name: '@sylphx/pdf-reader-mcp', version: '2.4.0' },
  { name: '@upstash/context7-mcp', version: '4.1.1' },
  { name: '@wonderwhy-er/desktop-commander', version: '0.2.52' },
  { name: 'argocd-mcp', version: '0.9.0', args: ['stdio'] },
  { name: 'chrome-devtools-mcp', version: '1.11.0' },
  { name: 'exa-mcp-server', version: '3.4.1' },
  { name: 'figma-console-mcp', version: '1.40.4' },
  { name: 'firecrawl-mcp', version: '3.26.0' },
  { name: 'hostinger-api-mcp', version: '1.63.2' },
  { name: 'ios-simulator-mcp', version: '2.1.0', isInstalled: true },
  { name: 'mcp-deepwiki', version: '0.0.10' },
  { name: 'mcp-hello-world', version: '1.1.2' },
  { name: 'mcp-searxng', version: '2.4.0' },
  { name: 'mcp-server-code-runner', version: '0.1.8', isInstalled: true },
  { name: 'mcp-server-kubernetes', version: '4.1.7' },
  { name: 'next-devtools-mcp', version: '0.4.0' },
  { name: 'reddit-mcp-buddy', version: '1.1.14', isInstalled: true },
  { name: 'tavily-mcp', version: '0.2.22' },
  { name: 'xcodebuildmcp', version: '2.7.0', args: ['mcp'] },
];
