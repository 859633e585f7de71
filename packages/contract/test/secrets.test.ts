import { expect, test } from 'vitest'
import { hasSecretWord, isSecretName, withoutPairs, withoutPrefixed } from '../src/index.ts'

const SECRET = [
  'token',
  'accessToken',
  'access_token',
  'ACCESS-TOKEN',
  'refresh_token',
  'x-auth-token',
  'apiKey',
  'api_key',
  'api-key',
  'X-API-Key',
  'apikey',
  'clientSecret',
  'client_secret',
  'CLIENT_SECRET',
  'secret',
  'old_secret',
  'Authorization',
  'proxy-authorization',
  'Set-Cookie',
  'password',
  'passphrase',
  'senha',
  'jwt',
  'bearer',
  'cvv',
  'initiation_id',
  'initiationId',
  'private_key',
  'session_id',
]

for (const name of SECRET) {
  test(`${name} is the name of a secret`, () => {
    expect(isSecretName(name)).toBe(true)
    expect(hasSecretWord(`{"${name}":1,"type":"x"}`)).toBe(true)
  })
}

const HARMLESS = ['id', 'type', 'token_type', 'client_key', 'dict_key', 'status', 'key', 'event_id']

for (const name of HARMLESS) {
  test(`${name} is not the name of a secret`, () => {
    expect(isSecretName(name)).toBe(false)
  })
}

const PAIRS = [
  { text: 'https://shop.example/?apikey=a1&b=2', shown: 'https://shop.example/?apikey=***&b=2' },
  { text: '/hook?a=1&access_token=a1#top', shown: '/hook?a=1&access_token=***#top' },
  { text: '?api%5Fkey=a1', shown: '?api%5Fkey=***' },
  { text: 'client_secret=a1&grant_type=x', shown: 'client_secret=***&grant_type=x' },
  { text: 'https://me:a1@shop.example/', shown: 'https://***@shop.example/' },
  { text: '{"url":"/?token=a1"}', shown: '{"url":"/?token=***"}' },
  { text: 'CLIENT_KEY=partner', shown: 'CLIENT_KEY=partner' },
  { text: '?a=b=c', shown: '?a=b=c' },
]

for (const { text, shown } of PAIRS) {
  test(`${text} is shown as ${shown}`, () => {
    expect(withoutPairs(text, '***')).toBe(shown)
  })
}

test('secrets with a beginning of their own keep that alone', () => {
  expect(withoutPrefixed('whsec_QUJD ini_abcdefgh ini_a', '***')).toBe('whsec_*** ini_*** ini_a')
})
