/** Example strings of a format. */
export interface Samples {
  /** The plainest first. */
  readonly valid: readonly string[]
  readonly failed: readonly string[]
}

const UUID = '6cc98439-360d-4452-b3c4-57b4d015a819'

/**
 * By format, those that the validator implements. It confirms each before use. Left out is what common validators accept
 * against the standard, such as a space in place of the T of a date-time.
 */
export const FORMATS: Readonly<Record<string, Samples>> = {
  date: {
    valid: ['2026-12-15', '2028-02-29', '2026-12-31', '2027-01-01', '9999-12-31', '1900-01-01'],
    failed: [
      '2026-02-30',
      '2027-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-1-5',
      '26-12-15',
      '15/12/2026',
      '20261215',
      '2026-12-15T00:00:00Z',
      '٢٠٢٦-١٢-١٥',
      ' 2026-12-15',
      'tomorrow',
      '',
    ],
  },
  'date-time': {
    valid: [
      '2026-11-02T14:30:00Z',
      '2026-11-02T14:30:00.123Z',
      '2026-11-02T14:30:00.123456789Z',
      '2026-11-02T11:30:00-03:00',
      '2028-02-29T23:59:59Z',
      '2026-12-31T23:59:60Z',
      '2026-11-02t14:30:00z',
    ],
    failed: [
      '2026-02-30T14:30:00Z',
      '2026-11-02T24:00:00Z',
      '2026-11-02T14:60:00Z',
      '2026-11-02T14:30:00',
      '2026-11-02T14:30Z',
      '2026-11-02',
      '1793629800',
      'now',
      '',
    ],
  },
  uuid: {
    valid: [
      UUID,
      UUID.toUpperCase(),
      '00000000-0000-0000-0000-000000000000',
      '018f3f5e-7b1a-7c3d-9e2f-1a2b3c4d5e6f',
    ],
    failed: [
      UUID.slice(0, -1),
      `${UUID}0`,
      UUID.replaceAll('-', ''),
      `{${UUID}}`,
      UUID.replace('6', 'g'),
      '1',
      '',
    ],
  },
  uri: {
    valid: [
      'https://example.com/hook',
      'https://example.com:8443/a%20b?c=d&e=f#g',
      'https://example.com',
      'https://xn--caf-dma.example.com/',
    ],
    failed: [
      'example.com/hook',
      '/hook',
      '//example.com/hook',
      'https://exa mple.com/',
      'https://example.com/%zz',
      'https://example.com/é',
      'https://[::1/',
      '',
    ],
  },
  'uri-reference': {
    valid: ['/a/b', 'https://example.com/a', '?q', '#f', 'about:blank'],
    failed: ['/a b', '/%zz', 'https://[::1', '\\a'],
  },
}
