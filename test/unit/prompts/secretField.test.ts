import assert from 'node:assert/strict';
import { asksForSecret } from '../../../src/prompts/secretField.ts';
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

for (const [expected, list] of rows)
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
