import { accountOf, object, seal, staticWith } from '../test/codes.ts'
import { official } from '../test/vectors.ts'

/** The manual's static code without its checksum. */
const BODY = official.static.slice(0, -8)

const key = (text: string) => accountOf(object('01', text))
const location = (text: string) => accountOf(object('25', text))

/** Codes that every decoder should refuse, with the error. The checksum is valid unless it is the error. */
export const malformed: readonly (readonly [fault: string, code: string])[] = [
  ['checksum of another code', `${BODY}630464E4`],
  ['no checksum', BODY],
  ['checksum inside another object', BODY.replace('62070503***', `62150511${seal('abc').slice(3)}`)],
  ['something after the checksum', `${official.static}6103ABC`],
  ['00 is 02', staticWith('000201', '000202')],
  ['00 in second place', staticWith('0002012658', '010211000201265800').replace('265800', '2658')],
  ['00 absent', seal(BODY.slice(6))],
  ['52 absent', staticWith('52040000', '')],
  ['53 absent', staticWith('5303986', '')],
  ['another currency', staticWith('5303986', '5303840')],
  ['58 absent', staticWith('5802BR', '')],
  ['another country', staticWith('5802BR', '5802AR')],
  ['59 absent', staticWith('5913Fulano de Tal', '')],
  ['59 twice', staticWith('6008BRASILIA', '6008BRASILIA5905Outro')],
  ['60 absent', staticWith('6008BRASILIA', '')],
  ['60 empty', staticWith('6008BRASILIA', '6000')],
  ['62 absent', staticWith('62070503***', '')],
  ['62-05 empty', staticWith('62070503***', '62040500')],
  ['01 is 13', staticWith('000201', '000201010213')],
  ['amount with a comma', staticWith('5802BR', '54041,505802BR')],
  ['amount with three decimals', staticWith('5802BR', '54051.2345802BR')],
  ['amount below zero', staticWith('5802BR', '5405-1.005802BR')],
  ['template of another arrangement', staticWith('0014br.gov.bcb.pix', '0014br.gov.bcb.spi')],
  ['two templates of Pix', staticWith('5204', '27330014br.gov.bcb.pix0111123456789095204')],
  ['template length of three digits', staticWith('2658', '26058')],
  ['template length of two digits that are not', staticWith('2658', '26-8')],
  ['object that runs past the end of its template', staticWith('0136123e', '0137123e')],
  ['key and location', accountOf(object('01', 'a@b.com'), object('25', 'pix.example.com/x'))],
  ['neither key nor location', accountOf(object('02', 'oi'))],
  ['key without a DICT format', key('fulano')],
  ['phone without +', key('5561912345678')],
  ['location with a scheme', location('https://pix.example.com/8b3da2f39a41')],
  ['location with a space', location('pix.example.com/8b3da 2f39a41')],
  [
    'withdrawal beside a location',
    accountOf(object('25', 'pix.example.com/8b3da2f39a41'), object('03', '12345678')),
  ],
  ['withdrawal with an ISPB of seven', accountOf(object('01', '12345678909'), object('03', '1234567'))],
  [
    'more than 512 bytes',
    seal(BODY + [81, 82, 83, 84].map((id) => object(`${id}`, object('00', 'x'.repeat(95)))).join('')),
  ],
]
