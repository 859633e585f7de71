import { listed, type Mutant } from '../mutant.ts'
import { coarse } from './coarse.ts'
import { fine } from './fine.ts'

/** Bugs by somebody who has read the contract and the sandbox only. */
export const fresh: readonly Mutant[] = listed(coarse, fine)
