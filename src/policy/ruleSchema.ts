import type { JsonObject } from '../base/json.ts';
import { callerKinds } from '../shared/caller.ts';
import { defaultLimits, limitNames } from './limits.ts';

/*
 * The settings of policy as the manifest describes them, so that the editor completes and checks them while they are
 * written. `package.json` holds a copy; a test compares the two.
 */

const text: JsonObject = { type: 'string', minLength: 1 };
const oneOrSeveral: JsonObject = {
  anyOf: [text, { type: 'array', items: text, minItems: 1, maxItems: 1000 }],
};

const condition: JsonObject = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  markdownDescription: 'What the value must be like. All members that are there must hold.',
  properties: {
    equals: { markdownDescription: 'Exactly this JSON value.' },
    oneOf: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      markdownDescription: 'One of these JSON values.',
    },
    glob: {
      ...oneOrSeveral,
      markdownDescription:
        'A text that fits the glob: `*` any characters, `?` one, `[a-z]` one of a set, `{a,b}` either. In a rule that allows, `*` stops at `/` and only `**` goes on, and a text with `..` does not fit. For files and folders use `within`.',
    },
    matches: {
      type: 'string',
      maxLength: 1000,
      markdownDescription:
        'A text that fits the regular expression ([RE2 syntax](https://github.com/google/re2/wiki/Syntax)). In a rule that allows, the whole text must fit; in one that asks or denies, a part of it is enough.',
    },
    within: {
      ...oneOrSeveral,
      markdownDescription:
        'A path inside the folder: absolute, or beginning with `~`, `${workspaceFolder}` or `${workspaceFolder:name}`. `..`, links and `file:` URIs are followed first.',
    },
    host: {
      ...oneOrSeveral,
      markdownDescription:
        'A URL whose host fits the glob, such as `api.example.com` or `*.example.com` (which leaves out `example.com` itself).',
    },
    maxLength: {
      type: 'integer',
      minimum: 0,
      markdownDescription: 'A text of at most so many characters, or a list of at most so many items.',
    },
  },
};

function rule(decisions: readonly string[]): JsonObject {
  const claim: JsonObject = { type: 'boolean' };
  return {
    type: 'object',
    required: ['server', 'tool', 'decision'],
    additionalProperties: false,
    properties: {
      server: { ...text, markdownDescription: 'A server id, or a glob over ids (`*` for all).' },
      tool: {
        ...text,
        markdownDescription: "The server's own name of a tool, or a glob over names (`*` for all).",
      },
      caller: {
        anyOf: [
          { enum: [...callerKinds] },
          { type: 'array', minItems: 1, items: { enum: [...callerKinds] } },
        ],
        markdownDescription:
          'Who asks: `chat` (the chat participant), `languageModelTool` (agent mode), `bridge` (agents outside the editor), `api` (other extensions), `user` (Run Tool). Default: anyone.',
      },
      args: {
        type: 'object',
        additionalProperties: condition,
        markdownDescription:
          'Conditions on arguments, by argument: `repo`, `issue.title`, `files[*].path`, `**` for every value at any depth, or a JSON Pointer such as `/odd.name`. All must hold; an argument that is missing fulfils none.',
      },
      claims: {
        type: 'object',
        additionalProperties: false,
        properties: {
          readOnlyHint: claim,
          destructiveHint: claim,
          idempotentHint: claim,
          openWorldHint: claim,
        },
        markdownDescription:
          'What the tool says of itself. A rule that allows uses it only for servers that you have marked as trusted.',
      },
      decision: {
        enum: [...decisions],
        markdownDescription: 'Deny beats ask, ask beats allow. What no rule speaks about is asked.',
      },
      reason: {
        type: 'string',
        maxLength: 1000,
        markdownDescription: 'Why; shown in the prompt, and given to the model with a denial.',
      },
      until: {
        type: 'string',
        pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?)?$',
        markdownDescription:
          'The last day, such as `2027-01-31`, or the time, such as `2027-01-31T18:00:00Z`, at which the rule counts.',
      },
      reviewResult: {
        type: 'boolean',
        default: false,
        markdownDescription: 'Show you the result before the model gets it.',
      },
    },
  };
}

const limitWords: Readonly<Record<(typeof limitNames)[number], string>> = {
  identicalCallsPerTurn: 'Calls of one tool with the same arguments in one turn.',
  callsPerTurn: 'Calls of all servers in one turn.',
  callsPerMinutePerTool: 'Calls of one tool within a minute.',
  callsPerMinutePerServer: 'Calls of one server within a minute.',
  simultaneousCallsPerServer: 'Calls of one server that run at the same time.',
};

/** `contributes.configuration.properties` of the policy settings. */
export const policySettings: JsonObject = {
  'countersign.rules': {
    type: 'array',
    // Only the person's own settings: a workspace can neither set nor see around it.
    scope: 'application',
    default: [],
    maxItems: 5000,
    items: rule(['allow', 'ask', 'deny']),
    markdownDescription:
      'Which calls are allowed, asked or denied without looking at each. Only your own settings count here. A rule with an error allows nothing; if it may have been meant to deny, the calls that it may concern are asked.',
    examples: [
      [
        { server: 'github', tool: 'search_*', decision: 'allow' },
        {
          server: 'files',
          tool: 'write_file',
          args: { path: { within: '${workspaceFolder}' } },
          decision: 'allow',
          until: '2027-12-31',
        },
        {
          server: '*',
          tool: '*',
          args: { '**': { matches: 'BEGIN [A-Z ]*PRIVATE KEY' } },
          decision: 'deny',
          reason: 'No keys.',
        },
        {
          server: 'fetch',
          tool: 'fetch',
          args: { url: { host: ['*.example.com', 'example.com'] } },
          decision: 'allow',
        },
        { server: '*', tool: 'delete_*', caller: ['bridge', 'api'], decision: 'deny' },
      ],
    ],
  },
  'countersign.workspaceRules': {
    type: 'array',
    scope: 'resource',
    default: [],
    maxItems: 500,
    items: rule(['ask', 'deny']),
    markdownDescription:
      'As `#countersign.rules#`, for this workspace or folder: such a rule can only ask or deny. One that says `allow` is ignored.',
    examples: [
      [{ server: '*', tool: 'deploy*', decision: 'ask', reason: 'Deployments are announced first.' }],
    ],
  },
  'countersign.limits': {
    type: 'object',
    scope: 'application',
    default: {},
    additionalProperties: false,
    properties: Object.fromEntries(
      limitNames.map((name) => [
        name,
        {
          type: 'integer',
          minimum: 0,
          default: defaultLimits[name] ?? 0,
          markdownDescription: `${limitWords[name]} 0: no limit.`,
        },
      ]),
    ),
    markdownDescription:
      'How many calls go ahead without asking, even if they are allowed. One more is asked.',
  },
};
