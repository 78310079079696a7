/*
 * What opens doors, in the words of people, in some of their languages. Matched against lower and upper case alike, and
 * against a text whose Latin, Greek and Cyrillic letters have no marks: `contrasena`, `clave` and `mot de passe` as they
 * are also typed.
 */

/** Words with nothing before and behind them. */
const english = [
  'pass ?words?|pass ?codes?|pass ?phrases?|pin(?: code| number)?|one[ -]time (?:code|password)|otp|mfa|2fa',
  'secrets?|tokens?|api ?keys?|access ?keys?|secret ?keys?|private ?keys?|ssh ?keys?|signing ?keys?|license ?keys?|bearer|jwt',
  'credentials?|(?:seed|recovery|mnemonic) (?:phrase|words?|code|key)|mnemonic|cvv|cvc|security code|verification code',
  '(?:credit |debit )?card numbers?',
];

/** Other languages: German and its neighbours build words of words, Slavic ones have endings. */
const otherLanguages = [
  '\\p{L}*(?:passwort|passworter|passwoerter|kennwort|kennworter|kennwoerter|geheimzahl)(?:e?s|e|ern|en)?|geheimnis',
  '(?:api|zugangs?|zugriffs?|geheim|privat|ssh|master|sicherheits|wiederherstellungs|lizenz|krypto)?-?(?:schlussel|schluessel)',
  "mots? de passe|code secret|code pin|cles? (?:api|d[’']?api|privees?|secretes?|d[’']acces)|jetons?(?: d[’']acces)?|phrase secrete",
  'contrasenas?|contrasenya|claves?|palabra clave secreta|codigo secreto|senhas?|palavra[- ]passe|chave (?:de )?(?:api|acesso|privada|secreta)',
  "parola d[’']ordine|parola chiave|chiave (?:api|privata|segreta|di accesso)|parola|sifre(?:niz|si)?|parolniz",
  'wachtwoord(?:en)?|toegangscode|losenord(?:et)?|passord(?:et)?|adgangskoden?|kodeord|salasana|heslo|hesla|jelszo(?:t|d)?',
  'hasl[oa]|hasł[oa]|hasłem|haslem|klucz (?:api|prywatny|dostepu)|slaptazodis|parool|лозинка|lozinka|geslo|zaporka',
  'парол(?:ь|я|ю|ем|е|и|ей)|паролата?|ключ(?:а|у|ом|и)?|токен(?:а|ы|ом)?|секрет(?:ный ключ)?|пин-?код',
  'κωδικος(?: προσβασης)?|συνθηματικο|κλειδι api',
  'סיסמה|סיסמא|הסיסמה|קוד סודי|كلمة (?:المرور|السر|مرور|سر)|رمز عبور|گذرواژه|الرقم السري',
  'mat khau|kata sandi|kata laluan|पासवर्ड|পাসওয়ার্ড',
];

/** Scripts that put no space between words: these stand anywhere. */
const unspaced =
  '密码|密碼|口令|令牌|密钥|密鑰|金鑰|私钥|私鑰|助记词|助記詞|验证码|驗證碼|パスワード|パスフレーズ|暗証番号|秘密鍵|トークン|APIキー|비밀번호|암호|패스워드|인증번호|개인 ?키|รหัสผ่าน|ពាក្យសម្ងាត់|ລະຫັດຜ່ານ';

const alone = (words: readonly string[]): string =>
  `(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`;

/** A word for a secret in any of the languages. */
export const secretWord = new RegExp(`${alone([...english, ...otherLanguages])}|${unspaced}`, 'iu');

/** In a longer text a secret may be only spoken of; here it is asked for. */
export const secretAskedFor: readonly RegExp[] = [
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:your|enter|paste|type|provide|give)(?![\\p{L}\\p{N}])[^.!?\\n]{0,40}?${alone(english)}`,
    'iu',
  ),
  ...eitherOrder(
    '(?<![\\p{L}\\p{N}])(?:ihr|ihre[nrms]?|dein|deine[nrms]?|eingeben|eintippen|angeben|gib|geben|votre|ton|entrez|saisi(?:r|ssez)|indiquez|tapez|su|tu|introdu(?:zca|cir|ce)|ingres[ea]r?|escrib[ae]|inser(?:ire|isci|isca|ite)|tua|tuo|digite|insira|sua|seu|voer|uw|jouw|ange|ditt|podaj|twoje|zadejte|vase|girin(?:iz)?|введите|укажите|ваш|nhap|masukkan)(?![\\p{L}\\p{N}])',
    alone(otherLanguages),
  ),
  ...eitherOrder('输入|輸入|填写|填寫|提供|您的|你的|入力|あなたの|입력|귀하의|กรอก|ป้อน', unspaced),
];

/** Numbers and pages of tokens are none. */
export const harmlessWords =
  /\b(?:max(?:imum)?|min(?:imum)?|number of|total|count of|page|next|previous|continuation|cursor)[ -]tokens?\b/i;

/** Words that are worth being spelled with letters of another script, so that nobody warns of them. */
export const disguisedWords: readonly string[] = [
  'password',
  'passwords',
  'passwort',
  'passphrase',
  'passcode',
  'token',
  'secret',
  'apikey',
  'credentials',
];

function eitherOrder(asking: string, words: string): readonly RegExp[] {
  return [
    new RegExp(`(?:${asking})[^.!?。\\n]{0,40}?(?:${words})`, 'iu'),
    new RegExp(`(?:${words})[^.!?。\\n]{0,40}?(?:${asking})`, 'iu'),
  ];
}
