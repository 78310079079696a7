import type { JsonValue } from '../base/json.ts';
import { isSecretName } from '../policy/secrets.ts';

/** What a field of a form says of itself. */
export interface FieldWords {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly format: JsonValue | undefined;
}

/** What opens doors, in the words of people, in some of their languages. */
const secretWords = [
  'pass ?words?|pass ?codes?|pass ?phrases?|pin(?: code| number)?|one[ -]time (?:code|password)|otp|mfa|2fa',
  'secrets?|tokens?|api ?keys?|access ?keys?|secret ?keys?|private ?keys?|ssh ?keys?|signing ?keys?|license ?keys?|bearer|jwt',
  'credentials?|(?:seed|recovery|mnemonic) (?:phrase|words?|code|key)|mnemonic|cvv|cvc|security code|verification code',
  '(?:credit |debit )?card numbers?',
  'passwort|kennwort|geheimnis|schlüssel|mot de passe|contraseña|clave|senha|wachtwoord|lösenord|hasło|пароль|ключ',
  '密码|密碼|口令|令牌|密钥|パスワード|暗証番号|비밀번호',
].join('|');

const wholeWord = new RegExp(`(?<![\\p{L}\\p{N}])(?:${secretWords})(?![\\p{L}\\p{N}])`, 'iu');
/** In a longer text a secret may be only spoken of; here it is asked for. */
const askedFor = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:your|enter|paste|type|provide|give)(?![\\p{L}\\p{N}])[^.!?\\n]{0,40}?(?<![\\p{L}\\p{N}])(?:${secretWords})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** Numbers and pages of tokens are none. */
const harmless =
  /\b(?:max(?:imum)?|min(?:imum)?|number of|total|count of|page|next|previous|continuation|cursor)[ -]tokens?\b/i;

/** Whether a field asks for a password, a key or a token (specification: client/elicitation, "Security Considerations"). */
export function asksForSecret({ name, title = '', description = '', format }: FieldWords): boolean {
  if (format === 'password' || isSecretName(name) || isSecretName(title)) return true;
  const words = [wordsOf(name), wordsOf(title)].filter((text) => !harmless.test(text));
  return words.some((text) => wholeWord.test(text)) || asksFor(description.slice(0, 2000));
}

function asksFor(description: string): boolean {
  return !harmless.test(description) && askedFor.test(description);
}

/** `accessKeyId` and `access_key_id` as "access key id"; letters of other widths as plain ones, hidden ones left out. */
function wordsOf(text: string): string {
  return text
    .slice(0, 500)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/[_.:/\\-]+/g, ' ');
}
