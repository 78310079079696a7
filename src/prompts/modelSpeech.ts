/** What a server's text does beyond describing a tool. `grave`: it often goes with trouble. */
export interface SpeechFact {
  /** Goes on from "It …". */
  readonly words: string;
  readonly grave: boolean;
}

/** No description is read further than this, in characters. */
const longestRead = 40_000;
/** A text this long is more than anybody reads on a card. */
const longDescription = 3_000;

/** Every part is bounded, so that no text takes long to look through. */
const patterns: readonly (SpeechFact & { readonly pattern: RegExp })[] = [
  {
    words: 'asks to keep something from a person',
    grave: true,
    pattern:
      /\b(?:do not|don['’]t|never|must not|should not|without|avoid|no need to)\s+(?:\w+\s+){0,3}?(?:tell|telling|mention|mentioning|inform|informing|show|showing|reveal|revealing|notify|notifying|alert|alerting|disclose|disclosing|ask|asking)\b[^.!?\n]{0,40}\b(?:user|users|human|person|people|anyone|them)\b|\b(?:hide|conceal|keep)\b[^.!?\n]{0,40}\bfrom\s+(?:the\s+)?(?:user|human|person)\b|\b(?:secretly|covertly|surreptitiously)\b|\bkeep\s+(?:this|it)\s+(?:a\s+)?secret\b/i,
  },
  {
    words: 'speaks of other instructions than its own',
    grave: true,
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|polic(?:y|ies)|restrictions)\b|\byour\s+system\s+prompt\b|\byour\s+(?:previous|prior|earlier|original)\s+(?:instructions?|rules|orders)\b/i,
  },
  {
    words: 'has marks like those around instructions to a model',
    grave: true,
    pattern:
      /<\/?\s*(?:important|system|instructions?|secret|hidden|assistant|admin|critical)\s*>|<\|[a-z_]{2,20}\|>|\[\/?(?:INST|SYSTEM|IMPORTANT)\]|^#{1,6}\s*(?:system|hidden|secret)\b/im,
  },
  {
    words: 'speaks of keys, passwords or files that hold them',
    grave: true,
    pattern:
      /(?:~|\/home\/\w{1,30}|\$HOME|\/root)\/\.(?:ssh|aws|gnupg|kube|config|netrc|cursor|docker)\b|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow)\b|\bmcp\.json\b|\b(?:private|ssh)\s+keys?\b|\b(?:read|send|pass|include|attach|add|append)\b[^.!?\n]{0,40}(?:\.env\b|\b(?:passwords?|credentials|api[ _-]?keys|access[ _-]?tokens)\b)/i,
  },
  {
    words: 'asks for what was said in the conversation',
    grave: true,
    pattern:
      /\b(?:full|entire|whole|complete|previous|prior)\s+(?:chat|conversation)\b|\b(?:all|every)\s+(?:of\s+the\s+)?(?:previous|prior|earlier)\s+messages?\b|\b(?:chat|conversation)\s+(?:history|transcript)\b|\bverbatim\b[^.!?\n]{0,40}\b(?:user|message|conversation|prompt)\b/i,
  },
  {
    words: 'says what to do before or after other calls',
    grave: false,
    pattern:
      /\b(?:before|after|prior to|when|whenever)\s+(?:using|calling|running|invoking|you\s+(?:use|call|run|invoke))\b[^.!?\n]{0,20}\b(?:any|other|another|all|every|each)\b|\b(?:any|all|every)\s+other\s+tools?\b|\binstead\s+of\s+(?:any\s+|the\s+)?other\s+tools?\b/i,
  },
  {
    words: 'orders the model to do something',
    grave: false,
    pattern:
      /\byou\s+(?:must|have\s+to|are\s+(?:required|obliged|now))\b|\b(?:always|only|first)\s+(?:use|call|run|invoke|prefer)\s+this\b|\b(?:IMPORTANT|CRITICAL|MANDATORY)\s*[:!]|\bMUST\s+(?:\w+\s+)?(?:call|use|read|pass|include|send)\b/,
  },
  {
    words: 'addresses the model',
    grave: false,
    pattern: /\b(?:dear|hey|note to|attention|as an?)\s+(?:ai|llm|assistant|model|agent|language model)\b/i,
  },
];

/** The facts about a text that speaks to the model, each once; empty for one that describes a tool. */
export function modelSpeech(text: string): readonly SpeechFact[] {
  const read = text.slice(0, longestRead);
  return patterns.flatMap(({ words, grave, pattern }) => (pattern.test(read) ? [{ words, grave }] : []));
}

/** A description of this length is a fact of its own. */
export function isLongDescription(text: string): boolean {
  return text.length > longDescription;
}
