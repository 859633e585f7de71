import { expect, test } from 'vitest'
import { readTarget } from '../../src/deliveries/url.ts'
import { refusedUrls } from './urls.ts'

const details = {
  'no url': '"url" must be an absolute URL.',
  'http://hooks.loja.teste/': '"url" must begin with https://.',
  'https://user@hooks.loja.teste/': '"url" must not contain a user or a password.',
  'https://hooks.loja.teste/#a': '"url" must not have a fragment: no server sees it.',
  'https://hooks.loja.teste:25/':
    '"url" must use the default port of its scheme, or a port from 1024 that no other protocol uses.',
  'https://10.0.0.1/': '"url" must name a public host, not one of a private network.',
}

test.each(Object.entries(details))('explains what was expected of %s', (url, detail) => {
  expect(readTarget(url)).toEqual({ detail })
})

test.each([
  { url: 'https://hooks.loja.teste/pix?a=1', host: { name: 'hooks.loja.teste' } },
  { url: 'https://HOOKS.loja.teste.:8443/', host: { name: 'hooks.loja.teste' } },
  { url: 'https://localhost.loja.teste/', host: { name: 'localhost.loja.teste' } },
  { url: 'https://my-internal.teste/', host: { name: 'my-internal.teste' } },
  { url: 'https://münchen.teste/', host: { name: 'xn--mnchen-3ya.teste' } },
  { url: 'https://8.8.8.8:1024/', host: { addresses: ['8.8.8.8'] } },
  { url: 'https://[2606:4700:4700::1111]/', host: { addresses: ['2606:4700:4700::1111'] } },
])('takes $url', ({ url, host }) => {
  expect(readTarget(url)).toEqual({ url: new URL(url), host })
})

const reserved = [
  'loja.example',
  'example',
  'a.b.test',
  'test',
  'x.invalid',
  'example.com',
  'a.example.net',
]

test.each([...reserved, 'EXAMPLE.ORG', 'example.com.'])('knows %s as a reserved name', (name) => {
  const host = { reserved: name.toLowerCase().replace(/\.$/, '') }
  expect(readTarget(`https://${name}/`)).toMatchObject({ host })
})

test.each(['notexample.com', 'example.com.br', 'contest', 'example.com.teste'])(
  '%s is not reserved',
  (name) => {
    expect(readTarget(`https://${name}/`)).not.toMatchObject({
      host: { reserved: expect.anything() },
    })
  },
)

const loopback = {
  'http://127.0.0.1:3000/': ['127.0.0.1'],
  'http://127.1/': ['127.0.0.1'],
  'http://127.8.9.10/': ['127.8.9.10'],
  'https://[::1]:3000/': ['::1'],
  'http://localhost:3000/pix': ['127.0.0.1', '::1'],
  'https://localhost./': ['127.0.0.1', '::1'],
}

test.each(Object.entries(loopback))('accepts %s only with allowLoopback', (url, addresses) => {
  expect(readTarget(url, { allowLoopback: true })).toMatchObject({ host: { addresses } })
  expect(readTarget(url, { allowLoopback: false })).toHaveProperty('detail')
})

const stillRefused = refusedUrls.filter((url) => !isLoopbackUrl(url))

/** Whether the host of a URL is this machine, also as `localhost.` or `localhost..`. */
function isLoopbackUrl(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  const isAddress = host === '127.0.0.1' || host === '[::1]'
  return isAddress || host.replace(/\.*$/, '') === 'localhost'
}

test.each([
  ...stillRefused,
  'ftp://127.0.0.1/',
  'http://127.0.0.1:22/',
  'http://127.0.0.1:6667/',
  'http://user@127.0.0.1/',
  'http://127.0.0.1/#a',
  'http://10.0.0.1/',
  'http://a.localhost/',
  'http://[::ffff:127.0.0.1]/',
  'http://0.0.0.0/',
  'http://8.8.8.8/',
  'http://loja.example/',
  'https://169.254.169.254/',
])('refuses %j with allowLoopback too', (url) => {
  expect(readTarget(url, { allowLoopback: true })).toHaveProperty('detail')
})
