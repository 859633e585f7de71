import { accountOf, extended, object, seal, staticWith } from '../test/codes.ts'
import type { Expected } from '../test/expect.ts'
import { official } from '../test/vectors.ts'

/** The manual's static code without its checksum. */
const BODY = official.static.slice(0, -8)

const key = (text: string) => accountOf(object('01', text))
const location = (text: string) => accountOf(object('25', text))

/**
 * Codes that every decoder should refuse, with the fault and our error. The checksum is valid
 * unless it is the fault.
 */
export const malformed: readonly [fault: string, code: string, expected: Expected][] = [
  [
    'checksum of another code',
    `${BODY}630464E4`,
    { code: 'crc', path: '63', offset: 129, expected: '1D3D' },
  ],
  ['no checksum', BODY, { code: 'missing', path: '63', found: undefined }],
  [
    'checksum inside another object',
    BODY.replace('62070503***', `62150511${seal('abc').slice(3)}`),
    'structure',
  ],
  ['something after the checksum', `${official.static}6103ABC`, 'order 63'],
  ['00 is 02', staticWith('000201', '000202'), { code: 'value', path: '00', found: '02' }],
  [
    '00 in second place',
    staticWith('0002012658', '010211000201265800').replace('265800', '2658'),
    'order 00 6',
  ],
  ['00 absent', seal(BODY.slice(6)), 'missing 00'],
  ['52 absent', staticWith('52040000', ''), 'missing 52'],
  ['53 absent', staticWith('5303986', ''), 'missing 53'],
  [
    'another currency',
    staticWith('5303986', '5303840'),
    { code: 'value', path: '53', found: '840' },
  ],
  ['58 absent', staticWith('5802BR', ''), 'missing 58'],
  ['another country', staticWith('5802BR', '5802AR'), 'value 58'],
  [
    '59 absent',
    staticWith('5913Fulano de Tal', ''),
    { code: 'missing', path: '59', offset: undefined },
  ],
  ['59 twice', staticWith('6008BRASILIA', '6008BRASILIA5905Outro'), 'duplicate 59'],
  ['60 absent', staticWith('6008BRASILIA', ''), 'missing 60'],
  ['60 empty', staticWith('6008BRASILIA', '6000'), 'empty 60'],
  ['62 absent', staticWith('62070503***', ''), 'missing 62'],
  ['62-05 empty', staticWith('62070503***', '62040500'), 'empty 62-05'],
  ['01 is 13', staticWith('000201', '000201010213'), 'value 01'],
  [
    'amount with a comma',
    staticWith('5802BR', '54041,505802BR'),
    { code: 'value', path: '54', found: '1,50' },
  ],
  ['amount with three decimals', staticWith('5802BR', '54051.2345802BR'), 'value 54 83'],
  ['amount below zero', staticWith('5802BR', '5405-1.005802BR'), 'value 54'],
  [
    'template of another arrangement',
    staticWith('0014br.gov.bcb.pix', '0014br.gov.bcb.spi'),
    'not-pix 26',
  ],
  [
    'two templates of Pix',
    staticWith('5204', '27330014br.gov.bcb.pix0111123456789095204'),
    'duplicate 27',
  ],
  ['template length of three digits', staticWith('2658', '26058'), 'structure'],
  ['template length of two digits that are not', staticWith('2658', '26-8'), 'structure 26'],
  [
    'object that runs past the end of its template',
    staticWith('0136123e', '0137123e'),
    'structure 26-01 28',
  ],
  [
    'key and location',
    accountOf(object('01', 'a@b.com'), object('25', 'pix.example.com/x')),
    'conflict 26',
  ],
  ['neither key nor location', accountOf(object('02', 'oi')), 'missing 26-01 6'],
  ['key without a DICT format', key('fulano'), 'value 26-01'],
  ['phone without +', key('5561912345678'), 'value 26-01'],
  ['location with a scheme', location('https://pix.example.com/8b3da2f39a41'), 'value 26-25'],
  ['location with a space', location('pix.example.com/8b3da 2f39a41'), 'value 26-25'],
  [
    'withdrawal beside a location',
    accountOf(object('25', 'pix.example.com/8b3da2f39a41'), object('03', '12345678')),
    'conflict 26',
  ],
  [
    'withdrawal with an ISPB of seven',
    accountOf(object('01', '12345678909'), object('03', '1234567')),
    'value 26-03',
  ],
  [
    'more than 512 bytes',
    extended(
      official.static,
      ...[81, 82, 83, 84].map((id) => object(`${id}`, object('00', 'x'.repeat(95)))),
    ),
    'size',
  ],
]
