import { createAccount, extended, object, replaceInStatic, seal } from '../test/codes.ts'
import type { Expected } from '../test/expect.ts'
import { official } from '../test/vectors.ts'

/** The manual's static code without its checksum. */
const BODY = official.static.slice(0, -8)

/** Four templates that make a code longer than 512 bytes. */
const longTemplates = ['81', '82', '83', '84'].map((id) => {
  return object(id, object('00', 'x'.repeat(95)))
})

const key = (text: string) => createAccount(object('01', text))
const location = (text: string) => createAccount(object('25', text))

/** A code that every decoder should refuse. */
export interface MalformedCode {
  readonly fault: string
  readonly code: string
  /** Our error. */
  readonly expected: Expected
}

/** The checksum is valid unless it is the fault. */
export const malformed: readonly MalformedCode[] = [
  {
    fault: 'checksum of another code',
    code: `${BODY}630464E4`,
    expected: { code: 'crc', path: '63', offset: 129, expected: '1D3D' },
  },
  { fault: 'no checksum', code: BODY, expected: { code: 'missing', path: '63', found: undefined } },
  {
    fault: 'checksum inside another object',
    code: BODY.replace('62070503***', `62150511${seal('abc').slice(3)}`),
    expected: 'structure',
  },
  {
    fault: 'something after the checksum',
    code: `${official.static}6103ABC`,
    expected: 'order 63',
  },
  {
    fault: '00 is 02',
    code: replaceInStatic('000201', '000202'),
    expected: { code: 'value', path: '00', found: '02' },
  },
  {
    fault: '00 in second place',
    code: replaceInStatic('0002012658', '010211000201265800').replace('265800', '2658'),
    expected: 'order 00 6',
  },
  { fault: '00 absent', code: seal(BODY.slice(6)), expected: 'missing 00' },
  { fault: '52 absent', code: replaceInStatic('52040000', ''), expected: 'missing 52' },
  { fault: '53 absent', code: replaceInStatic('5303986', ''), expected: 'missing 53' },
  {
    fault: 'another currency',
    code: replaceInStatic('5303986', '5303840'),
    expected: { code: 'value', path: '53', found: '840' },
  },
  { fault: '58 absent', code: replaceInStatic('5802BR', ''), expected: 'missing 58' },
  { fault: 'another country', code: replaceInStatic('5802BR', '5802AR'), expected: 'value 58' },
  {
    fault: '59 absent',
    code: replaceInStatic('5913Fulano de Tal', ''),
    expected: { code: 'missing', path: '59', offset: undefined },
  },
  {
    fault: '59 twice',
    code: replaceInStatic('6008BRASILIA', '6008BRASILIA5905Outro'),
    expected: 'duplicate 59',
  },
  { fault: '60 absent', code: replaceInStatic('6008BRASILIA', ''), expected: 'missing 60' },
  { fault: '60 empty', code: replaceInStatic('6008BRASILIA', '6000'), expected: 'empty 60' },
  { fault: '62 absent', code: replaceInStatic('62070503***', ''), expected: 'missing 62' },
  {
    fault: '62-05 empty',
    code: replaceInStatic('62070503***', '62040500'),
    expected: 'empty 62-05',
  },
  { fault: '01 is 13', code: replaceInStatic('000201', '000201010213'), expected: 'value 01' },
  {
    fault: 'amount with a comma',
    code: replaceInStatic('5802BR', '54041,505802BR'),
    expected: { code: 'value', path: '54', found: '1,50' },
  },
  {
    fault: 'amount with three decimals',
    code: replaceInStatic('5802BR', '54051.2345802BR'),
    expected: 'value 54 83',
  },
  {
    fault: 'amount below zero',
    code: replaceInStatic('5802BR', '5405-1.005802BR'),
    expected: 'value 54',
  },
  {
    fault: 'template of another arrangement',
    code: replaceInStatic('0014br.gov.bcb.pix', '0014br.gov.bcb.spi'),
    expected: 'not-pix 26',
  },
  {
    fault: 'two templates of Pix',
    code: replaceInStatic('5204', '27330014br.gov.bcb.pix0111123456789095204'),
    expected: 'duplicate 27',
  },
  {
    fault: 'template length of three digits',
    code: replaceInStatic('2658', '26058'),
    expected: 'structure',
  },
  {
    fault: 'template length of two digits that are not',
    code: replaceInStatic('2658', '26-8'),
    expected: 'structure 26',
  },
  {
    fault: 'object that runs past the end of its template',
    code: replaceInStatic('0136123e', '0137123e'),
    expected: 'structure 26-01 28',
  },
  {
    fault: 'key and location',
    code: createAccount(object('01', 'a@b.com'), object('25', 'pix.example.com/x')),
    expected: 'conflict 26',
  },
  {
    fault: 'neither key nor location',
    code: createAccount(object('02', 'oi')),
    expected: 'missing 26-01 6',
  },
  { fault: 'key without a DICT format', code: key('fulano'), expected: 'value 26-01' },
  { fault: 'phone without +', code: key('5561912345678'), expected: 'value 26-01' },
  {
    fault: 'location with a scheme',
    code: location('https://pix.example.com/8b3da2f39a41'),
    expected: 'value 26-25',
  },
  {
    fault: 'location with a space',
    code: location('pix.example.com/8b3da 2f39a41'),
    expected: 'value 26-25',
  },
  {
    fault: 'withdrawal beside a location',
    code: createAccount(object('25', 'pix.example.com/8b3da2f39a41'), object('03', '12345678')),
    expected: 'conflict 26',
  },
  {
    fault: 'withdrawal with an ISPB of seven',
    code: createAccount(object('01', '12345678909'), object('03', '1234567')),
    expected: 'value 26-03',
  },
  {
    fault: 'more than 512 bytes',
    code: extended(official.static, ...longTemplates),
    expected: 'size',
  },
]
