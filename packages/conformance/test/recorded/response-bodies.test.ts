import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { testRows } from './rows.ts'
import {
  BASE,
  har,
  listUsers,
  lookUp,
  pay,
  session,
  signIn,
  withContent,
  withHeader,
} from './session.ts'

/** Bytes as characters, as a recorder writes what it does not decode. */
const asCharacters = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

describe('a response body that the recorder garbled or dropped', () => {
  const users = (change: (text: string) => Record<string, unknown>) => [
    signIn(),
    withContent(listUsers(), change),
  ]
  testRows([
    {
      // Firefox bug 1762313, zaproxy/zap-extensions pull request 5726
      title: 'is read as it is where the text says base64 and is JSON',
      entries: session().map((entry) => withContent(entry, () => ({ encoding: 'base64' }))),
    },
    {
      title: 'is decoded from base64',
      entries: users((text) => ({
        text: Buffer.from(text).toString('base64'),
        encoding: 'base64',
      })),
    },
    {
      title: 'is decoded from base64 that no encoding names',
      entries: users((text) => ({ text: Buffer.from(text).toString('base64') })),
    },
    {
      title: 'is unknown if it says base64 and is neither',
      entries: users(() => ({ text: 'not%base64', encoding: 'base64' })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is inflated where the bytes are left in the text',
      entries: [
        signIn(),
        withHeader(
          withContent(listUsers(), (text) => ({ text: asCharacters(gzipSync(text)) })),
          'content-encoding',
          'gzip',
        ),
      ],
    },
    {
      title: 'is inflated where they are in base64',
      entries: users((text) => ({ text: gzipSync(text).toString('base64'), encoding: 'base64' })),
    },
    {
      title: 'is unknown where the compressed bytes were decoded as UTF-8',
      entries: users((text) => ({ text: gzipSync(text).toString() })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is unknown where the text is empty beside a size',
      entries: users(() => ({ text: '' })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is unknown where the text is empty beside a length in the headers',
      entries: users(() => ({ text: '', size: 0 })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is unknown where it was cut',
      entries: users((text) => ({ text: text.slice(0, 60) })),
      unknown: { responseBodies: 1 },
    },
    {
      title: 'is read where the recorder parsed it',
      entries: users((text) => ({ text: JSON.parse(text) })),
    },
    {
      title: 'is read where UTF-8 was taken for Latin-1',
      entries: [
        signIn(),
        lookUp(),
        withContent(pay(), (text) => ({ text: asCharacters(Buffer.from(text)) })),
      ],
    },
    {
      title: 'is judged where it was recorded and is no JSON',
      entries: users(() => ({ text: '<html>', size: 6 })),
      finds: ['responses-json@listUsers', 'responses-shape@listUsers'],
    },
    {
      title: 'is judged where it is recorded as empty',
      entries: [
        signIn(),
        withHeader(
          withContent(listUsers(), () => ({ text: '', size: 0 })),
          'content-length',
          '0',
        ),
      ],
      finds: ['responses-shape@listUsers'],
    },
    {
      title: 'is judged by its bytes in base64',
      entries: users((text) => ({
        text: Buffer.from(text.replace('Fulano', 'Fulão'), 'latin1').toString('base64'),
        encoding: 'base64',
      })),
      finds: ['responses-json@listUsers'],
    },
  ])
})

describe('a body of JSON', () => {
  const withType = (type: string) => withHeader(listUsers(), 'content-type', type)
  testRows([
    {
      // RFC 8259, section 11; schemathesis/schemathesis pull request 4295
      title: 'may name a charset that means nothing, which is noted',
      entries: [signIn(), withType('application/json; charset=foo')],
      finds: ['responses-json@undefined'],
    },
    {
      title: 'may name UTF-8',
      entries: [signIn(), withType('application/json; charset="UTF-8"')],
    },
    {
      title: 'may have U+FFFD, which is a character',
      entries: [
        signIn(),
        withContent(listUsers(), (text) => ({ text: text.replaceAll('Fulano', 'Ful\uFFFDno') })),
      ],
    },
    {
      title: 'may show a text in another normal form of Unicode',
      entries: [
        signIn(),
        lookUp(),
        withContent(pay(), (text) => ({ text: text.normalize('NFD') })),
      ],
    },
  ])

  it('notes the charset by its name, and calls it no failure', () => {
    const { findings } = checkHar(har([signIn(), withType('application/json; charset=us-ascii')]), {
      baseUrl: BASE,
    })
    expect(findings).toMatchObject([
      {
        kind: 'deviation',
        severity: 'note',
        message: 'The content-type names charset=us-ascii, which means nothing for JSON.',
        cites: { standard: 'RFC 8259, section 11' },
      },
    ])
  })
})
