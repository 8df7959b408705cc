// Made by scripts/catalog.mjs from published data: do not edit.
import type { CatalogRow } from '../row.ts';

export const rows: readonly CatalogRow[] = [
  {"id":"claude-2","match":["claude-2*","*claude-v2*"],"context":200000,"tools":false,"price":{"input":8,"output":24}},
  {"id":"claude-3-5-haiku-latest","match":["claude-3-5-haiku*","claude-3.5-haiku*"],"context":200000,"price":{"input":0.8,"output":4,"cacheRead":0.08,"cacheWrite":1}},
  {"id":"claude-3-5-sonnet","match":["claude-3-5-sonnet*","claude-3.5-sonnet*"],"context":200000,"price":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3.75}},
  {"id":"claude-3-7-sonnet-latest","match":["claude-3-7-sonnet*","claude-3.7-sonnet*","claude-sonnet-3.7*","claude-sonnet-3-7*"],"context":200000,"price":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3.75}},
  {"id":"claude-3-haiku","match":"claude-3-haiku*","context":200000,"price":{"input":0.25,"output":1.25,"cacheRead":0.03,"cacheWrite":0.3}},
  {"id":"claude-3-opus-latest","match":"claude-3-opus*","context":200000,"price":{"input":15,"output":75,"cacheRead":1.5,"cacheWrite":18.75}},
  {"id":"claude-3-sonnet","match":"claude-3-sonnet*","context":200000,"price":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3.75}},
  {"id":"claude-fable-5","match":["claude-fable-5","/^claude-fable-5-\\d{8}$/"],"context":1000000,"output":128000,"tools":true,"price":{"input":10,"output":50,"cacheRead":1,"cacheWrite":12.5}},
  {"id":"claude-fable-5-1","match":["claude-fable-5-1","/^claude-fable-5-1-\\d{8}$/"],"context":1000000,"output":128000,"tools":true,"price":{"input":10,"output":50,"cacheRead":0.25,"cacheWrite":12.5}},
  {"id":"claude-haiku-4-5","match":["claude-haiku-4-5*","claude-haiku-4.5*","claude-4-5-haiku*","claude-4.5-haiku*"],"context":200000,"output":64000,"tools":true,"price":{"input":1,"output":5,"cacheRead":0.1,"cacheWrite":1.25},"names":["claude-haiku-4-5-20251001"]},
  {"id":"claude-opus-4-0","match":["claude-opus-4-0*","claude-4-opus*","claude-opus-4","claude-opus-4-20250514"],"context":200000,"price":{"input":15,"output":75,"cacheRead":1.5,"cacheWrite":18.75}},
  {"id":"claude-opus-4-1","match":["claude-opus-4-1*","claude-opus-4.1*"],"context":200000,"price":{"input":15,"output":75,"cacheRead":1.5,"cacheWrite":18.75}},
  {"id":"claude-opus-4-5","match":["claude-opus-4-5*","claude-opus-4.5*","claude-4-5-opus*","claude-4.5-opus*"],"context":200000,"output":64000,"tools":true,"price":{"input":5,"output":25,"cacheRead":0.5,"cacheWrite":6.25},"names":["claude-opus-4-5-20251101"]},
  {"id":"claude-opus-4-6","match":["claude-opus-4-6*","claude-opus-4.6*","claude-4-6-opus*","claude-4.6-opus*"],"context":1000000,"output":128000,"tools":true,"price":{"input":5,"output":25,"cacheRead":0.5,"cacheWrite":6.25}},
  {"id":"claude-opus-4-7","match":["claude-opus-4-7*","claude-opus-4.7*","claude-4-7-opus*","claude-4.7-opus*"],"context":1000000,"output":128000,"tools":true,"price":{"input":5,"output":25,"cacheRead":0.5,"cacheWrite":6.25}},
  {"id":"claude-opus-4-8","match":["claude-opus-4-8*","claude-opus-4.8*","claude-4-8-opus*","claude-4.8-opus*"],"context":1000000,"output":128000,"tools":true,"price":{"input":5,"output":25,"cacheRead":0.5,"cacheWrite":6.25}},
  {"id":"claude-opus-5","match":["claude-opus-5","/^claude-opus-5-\\d{8}$/","claude-opus-5.0*","claude-5-opus*","claude-5.0-opus*"],"context":1000000,"output":128000,"tools":true,"price":{"input":5,"output":25,"cacheRead":0.5,"cacheWrite":6.25}},
  {"id":"claude-opus-5-5","match":["claude-opus-5-5","/^claude-opus-5-5-\\d{8}$/","claude-opus-5.5*","claude-5-5-opus*","claude-5.5-opus*"],"context":1000000,"output":128000,"tools":true,"price":{"input":4,"output":20,"cacheRead":0.2,"cacheWrite":5}},
  {"id":"claude-sonnet-4-0","match":["claude-sonnet-4-2025*","claude-sonnet-4-0*","claude-sonnet-4@*","claude-sonnet-4","claude-4-sonnet*"],"context":200000,"price":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3.75}},
  {"id":"claude-sonnet-4-5","match":["claude-sonnet-4-5*","claude-sonnet-4.5*"],"context":200000,"output":64000,"tools":true,"price":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3.75,"long":{"above":200000,"input":6,"output":22.5,"cacheRead":0.6,"cacheWrite":7.5}},"names":["claude-sonnet-4-5-20250929"]},
  {"id":"claude-sonnet-4-6","match":["claude-sonnet-4-6*","claude-sonnet-4.6*"],"context":1000000,"output":128000,"tools":true,"price":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3.75}},
  {"id":"claude-sonnet-5","match":["claude-sonnet-5*","claude-sonnet-5.0*","claude-5-sonnet*","claude-5.0-sonnet*"],"context":1000000,"output":128000,"tools":true,"price":{"input":2,"output":10,"cacheRead":0.2,"cacheWrite":2.5},"names":["claude-sonnet-5-5"]},
  {"id":"claude-v1","tools":false,"price":{"input":8,"output":24}},
  {"id":"claude-haiku-5-5","context":1000000,"output":128000,"tools":true,"price":{"input":0.1,"output":0.5,"cacheRead":0.01,"cacheWrite":0.125,"long":{"above":100000,"input":0.5,"output":2.5,"cacheRead":0.05,"cacheWrite":0.625}}},
];
