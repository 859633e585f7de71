import { testRandomCharges } from '../money/random-charges.ts'

testRandomCharges(5_000)
