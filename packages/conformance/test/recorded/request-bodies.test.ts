import { describe, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { testRows } from './rows.ts'
import {
  BASE,
  changed,
  type HarEntry,
  har,
  lookUp,
  pay,
  session,
  signIn,
  webhookCycle,
  withContent,
} from './session.ts'

describe('a right session', () => {
  testRows([
    { title: 'has no finding', entries: session() },
    { title: 'has none if its entries are in another order', entries: session().reverse() },
  ])
})

/** The request of an entry without its recorded body, as a recorder leaves it. */
function withoutBody(entry: HarEntry, left: Partial<HarEntry['request']> = {}): HarEntry {
  return changed(entry, ({ request }) => {
    delete request.postData
    Object.assign(request, left)
  })
}

function nestedBody(levels: number) {
  const text = `${'['.repeat(levels)}${']'.repeat(levels)}`
  return { mimeType: 'application/json', text }
}

describe('a request body that was not recorded is unknown', () => {
  testRows([
    {
      // microsoft/playwright issue 27845
      title: 'a Blob, or a request that was cloned',
      entries: [signIn(), withoutBody(lookUp(), { bodySize: 0 }), pay()],
      unknown: { requestBodies: 1 },
    },
    {
      // recordHar of Playwright with `content: 'omit'`
      title: 'a body of which the size alone was recorded',
      entries: [
        signIn(),
        withoutBody(lookUp(), { bodySize: 35, postData: { mimeType: '', text: '', params: [] } }),
        withoutBody(pay(), { bodySize: 323 }),
      ],
      unknown: { requestBodies: 2 },
    },
    {
      title: 'a body of which the parameters alone were recorded',
      entries: [
        signIn(),
        withoutBody(lookUp(), {
          postData: { mimeType: 'application/json', params: [{ name: 'dict_key', value: 'x' }] },
        }),
      ],
      unknown: { requestBodies: 1 },
    },
    {
      title: 'a body of more than 200 levels',
      entries: [signIn(), withoutBody(lookUp(), { postData: nestedBody(201) }), pay()],
      unknown: { requestBodies: 1 },
    },
    {
      title: 'a webhook whose request was not recorded shows what it shows',
      entries: [signIn(), withoutBody(webhookCycle()[0]), ...webhookCycle().slice(1)],
      unknown: { requestBodies: 1 },
    },
    {
      title: 'no body of an operation that takes none is missing',
      entries: [withoutBody(signIn(), { bodySize: 5 })],
    },
    {
      title: 'another key than was looked up is found where the body was recorded',
      entries: [
        signIn(),
        withContent(lookUp(), (text) => ({
          text: text.replace('beltrana@example.com', 'sicrana@example.com'),
        })),
      ],
      finds: ['keys-repeated@checkKey'],
    },
  ])

  it('reads a body in base64 where its encoding says so', () => {
    const text = btoa('{"dict_key":7}')
    const entry = withoutBody(lookUp(), {
      postData: { mimeType: 'application/json', text, encoding: 'base64' },
    })
    const { findings } = checkHar(har([signIn(), entry]), { baseUrl: BASE })
    expect(findings.map(({ message }) => message)).toContain(
      'The request, body /dict_key: expected string, got integer.',
    )
  })

  it('says of a body that is no JSON what it is', () => {
    const entry = withoutBody(lookUp(), {
      postData: { mimeType: 'application/json', text: '{dict_key: 1}' },
    })
    const { findings } = checkHar(har([signIn(), entry]), { baseUrl: BASE })
    const messages = findings.filter(({ rule }) => rule === 'requests-valid')
    expect(messages.map(({ message }) => message)).toEqual([
      'The request, body: expected valid JSON, got something else.',
    ])
  })
})
