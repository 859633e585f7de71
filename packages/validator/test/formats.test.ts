import { describe, expect, test } from 'vitest'
import { createValidator } from '../src/index.ts'
import { createDocument, listFindings } from './contract.ts'

const cases: Record<string, { right: string[]; wrong: string[] }> = {
  'date-time': {
    right: [
      '2026-11-02T14:30:00Z',
      '2026-11-02t14:30:00.123456z',
      '2026-11-02T14:30:00-03:00',
      '2026-12-31T23:59:60Z',
      '2026-12-31T20:59:60-03:00',
      '2027-01-01T05:29:60+05:30',
      '2024-02-29T00:00:00+23:59',
    ],
    wrong: [
      '2026-11-02 14:30:00Z',
      '2026-11-02T14:30:00',
      '2026-11-02T14:30Z',
      '2026-02-29T00:00:00Z',
      '2026-11-02T24:00:00Z',
      '2026-11-02T14:30:60Z',
      '2026-12-31T23:59:60-03:00',
      '2026-12-31T23:60:60+00:01',
      '2027-01-01T24:00:60+00:01',
      '2026-11-02T14:30:00+24:00',
      '2026-11-02T14:30:00.Z',
      ' 2026-11-02T14:30:00Z',
      '2026-11-02T14:30:00Z\n',
      '2026-11-02T14:30:00ZT',
      '٢٠٢٦-11-02T14:30:00Z',
    ],
  },
  date: {
    right: ['2026-11-02', '2024-02-29'],
    wrong: ['2026-02-29', '2026-13-01', '2026-1-2', '2026-11-02T', '', '20261102'],
  },
  uuid: {
    right: ['6cc98439-360d-4452-b3c4-57b4d015a819', '6CC98439-360D-4452-B3C4-57B4D015A819'],
    wrong: [
      'urn:uuid:6cc98439-360d-4452-b3c4-57b4d015a819',
      '6cc98439360d4452b3c457b4d015a819',
      '{6cc98439-360d-4452-b3c4-57b4d015a819}',
      '',
    ],
  },
  uri: {
    right: [
      'https://example.com',
      'https://u:p@example.com:8080/a/b;c?d=e&f#g/?',
      'https://[::1]:80/',
      'https://[v1.a:b]/',
      'https://[::ffff:127.0.0.1]',
      'urn:example:a',
      'mailto:a@example.com',
      'about:blank',
      'a:',
      'https://example.com/%C3%A9',
      'http://',
    ],
    wrong: [
      '/a/b',
      'example.com',
      '//example.com',
      'https://example.com/é',
      'https://exa mple.com',
      'https://example.com/%zz',
      'https://example.com/"a"',
      'https://example.com/a[b]',
      'https://[::1',
      'https://[1::2::3]/',
      'https://[example.com]/',
      'https://example.com:x/',
      'https://a@b@c/',
      '1a:b',
      ':a',
      'https://example.com/a#b#c',
      'https://example.com\\a',
      '',
    ],
  },
  'uri-reference': {
    right: ['/a/b', '', '?q', '#f', 'a/b:c', '//example.com', 'about:blank'],
    wrong: ['a b', '1a:b', '%zz', '#a#b', '//a:b:c'],
  },
}

describe.each(Object.entries(cases))('%s', (format, { right, wrong }) => {
  const validator = createValidator(createDocument({ type: 'string', format }))

  test.each(right)('%j is valid', (text) => expect(listFindings(validator, text)).toEqual([]))

  test.each(wrong)('%j is invalid', (text) => {
    expect(listFindings(validator, text)).toMatchObject([
      {
        keyword: 'format',
        message: `expected string of format ${format}, got string of length ${[...text].length}`,
      },
    ])
  })
})
