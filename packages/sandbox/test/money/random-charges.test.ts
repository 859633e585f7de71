import { testRandomCharges } from './random-charges.ts'

testRandomCharges(400)
