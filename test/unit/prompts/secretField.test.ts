import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { asksForSecret, schemaAsksForSecret } from '../../../src/prompts/secretField.ts';
import { it } from '../../helpers/nodeTest.ts';

type Words = Partial<Parameters<typeof asksForSecret>[0]>;
const names = (list: string): readonly Words[] => list.split(/\s+/).map((name) => ({ name }));
const rows: readonly (readonly [boolean, readonly Words[]])[] = [
  [
    true,
    names(`password userPassword pass_word pwd passphrase passcode pin pin_code otp apiKey api_key API-KEY
      x.api.key OPENAI_API_KEY secret client_secret token accessToken githubToken auth-token bearer
      jwt privateKey ssh_key credentials seedPhrase recoveryCode mnemonic cvv cardNumber
      credit_card_number mfaCode Passwort mot_de_passe contraseña senha пароль 密码 パスワード`),
  ],
  [
    true,
    [
      { title: 'Your API key' },
      { title: 'GitHub personal access token' },
      { title: 'One-time code' },
      { title: 'Ｐａｓｓｗｏｒｄ' },
      { title: 'Pass\u200bword' },
      { title: 'PIN' },
      { format: 'password' },
      { description: 'Please enter your password.' },
      { description: 'Paste the API key from your account page' },
      { description: 'We need this to verify you: type your recovery phrase here' },
    ],
  ],
  [
    false,
    names(`name author keyboard keynote monkey tokenizer secretary spinning compass max_tokens page_token
      nextToken totalTokens passenger bypass company key`),
  ],
  [
    false,
    [
      { title: 'Keynote speaker' },
      { title: 'Number of tokens' },
      { description: 'Your favorite integer (do not give us your phone number)' },
      { description: 'Secrets are stored elsewhere.' },
      { description: 'Maximum tokens to sample' },
      { format: 'email' },
    ],
  ],
];

/** The words that servers ask with; without accents too, put together, in other cases, and without spaces. */
const titles = `Passwort|Kennwort|API-Schlüssel|API-Schluessel|Benutzerpasswort|Passwörter|Zugangsschlüssel|Mots de passe
clé API|Clé d’API|clé d'accès|jeton d’accès|Code secret|contrasena|contrasen\u0303a|Clave de acceso|palavra-passe
parola d’ordine|şifre|Şifreniz|wachtwoord|Lo\u0308senord|passord|adgangskode|salasana|heslo|jelszó|hasło|Hasła|klucz API
Пароля|паролем|Секретный ключ|токен|Пароль от почты|κωδικός πρόσβασης|סיסמה|كلمة المرور|رمز عبور|mật khẩu|kata sandi
पासवर्ड|数据库密码|请输入密码|API密钥|私钥|驗證碼|ユーザーパスワード|暗証番号|비밀번호를|รหัสผ่าน|pаssword|раssword|passw0rd|tоken`;
const others = `Schlüsselwort|Nachname|palabra|clavel|Passage|ключица|Parole|密集|口味|chave|Passau|enclave|clé|Postleitzahl
Prénom|город|名前|이름|keyword|secrétaire|Sekretariat|Passport number|Reisepass|Tokio|assword`;
const asked = `Bitte geben Sie Ihr Passwort ein.|Saisissez votre mot de passe|Introduzca su contraseña|Введите пароль
请输入您的密码|パスワードを入力してください|비밀번호를 입력하세요|Digite sua senha|Passwort eingeben`;
const spokenOf =
  'Das Passwort wird nie gespeichert.|Der Name Ihrer Firma|Su nombre completo|您的姓名|Votre prénom';
const inList = (list: string, key: 'title' | 'description'): readonly Words[] =>
  list.split(/[|\n]/).map((text) => ({ [key]: text }));
const languages: typeof rows = [
  [true, [...inList(titles, 'title'), ...inList(asked, 'description')]],
  [false, [...inList(others, 'title'), ...inList(spokenOf, 'description')]],
];

for (const [expected, list] of [...rows, ...languages])
  for (const words of list)
    it(`${JSON.stringify(words)} ${expected ? 'asks' : 'does not ask'} for a secret`, () => {
      const field = { name: 'value', title: undefined, description: undefined, format: undefined, ...words };
      assert.equal(asksForSecret(field), expected);
    });

it('a long description takes no time to speak of', () => {
  const description = 'your enter paste type '.repeat(100_000);
  assert.equal(
    asksForSecret({ name: 'a', title: 'x'.repeat(1_000_000), description, format: undefined }),
    false,
  );
});

it('a secret is found however deep a schema hides it, and a choice is none', () => {
  const password = { properties: { password: { type: 'string' } } };
  assert.equal(schemaAsksForSecret(password), true);
  assert.equal(schemaAsksForSecret({ allOf: [{ items: { anyOf: [password] } }] }), true);
  assert.equal(
    schemaAsksForSecret({ properties: { token: { type: 'boolean' }, pin: { enum: ['a'] } } }),
    false,
  );
  let deep: JsonObject = password;
  for (let level = 0; level < 100_000; level += 1) deep = { not: deep };
  assert.equal(schemaAsksForSecret(deep), false);
});
