/**
 * Writes the embedding model as an ONNX file: a graph that looks vectors up, in the shape of a BERT encoder.
 * Field numbers are those of onnx.proto; wire types those of the protobuf encoding guide.
 */

import { ZERO_LEVEL } from './quantise.ts';
import type { QuantisedRows } from './quantise.ts';

/** Rows of vectors, and which row each token of the vocabulary uses. */
export interface EmbeddingTable extends QuantisedRows {
  /** One per token id: its row. */
  readonly rowOfToken: Int32Array;
}

const IR_VERSION = 8;
const OPSET_VERSION = 13;
const TYPE = { float: 1, uint8: 2, int32: 6, int64: 7 } as const;
const ATTRIBUTE_INT = 2;

/** `input_ids` (int64, batch × tokens) → `last_hidden_state` (float, batch × tokens × dims). */
export function encodeEmbeddingModel(table: EmbeddingTable): Uint8Array {
  const { dims, bytes, scales, rowOfToken } = table;
  const graph = message(
    field(1, node('Gather', ['row_of_token', 'input_ids'], 'rows')),
    field(1, node('Gather', ['bytes', 'rows'], 'packed')),
    field(1, node('Cast', ['packed'], 'whole', { to: TYPE.float })),
    field(1, node('Div', ['whole', 'sixteen'], 'shifted')),
    field(1, node('Floor', ['shifted'], 'upper')),
    field(1, node('Mul', ['upper', 'sixteen'], 'upper_part')),
    field(1, node('Sub', ['whole', 'upper_part'], 'lower')),
    field(1, node('Concat', ['upper', 'lower'], 'levels', { axis: 2 })),
    field(1, node('Sub', ['levels', 'zero_level'], 'signed')),
    field(1, node('Gather', ['scales', 'rows'], 'scale')),
    field(1, node('Mul', ['signed', 'scale'], 'last_hidden_state')),
    field(2, text('embedding')),
    field(5, tensor('row_of_token', TYPE.int32, [rowOfToken.length], rowOfToken)),
    field(5, tensor('bytes', TYPE.uint8, [scales.length, dims / 2], bytes)),
    field(5, tensor('scales', TYPE.float, [scales.length, 1], scales)),
    field(5, tensor('sixteen', TYPE.float, [1], Float32Array.of(16))),
    field(5, tensor('zero_level', TYPE.float, [1], Float32Array.of(ZERO_LEVEL))),
    field(11, valueInfo('input_ids', TYPE.int64, ['batch', 'tokens'])),
    field(12, valueInfo('last_hidden_state', TYPE.float, ['batch', 'tokens', dims])),
  );
  return message(field(1, IR_VERSION), field(7, graph), field(8, message(field(2, OPSET_VERSION))));
}

function node(
  type: string,
  inputs: string[],
  output: string,
  attributes: Record<string, number> = {},
): Uint8Array {
  return message(
    ...inputs.map((input) => field(1, text(input))),
    field(2, text(output)),
    field(3, text(output)),
    field(4, text(type)),
    ...Object.entries(attributes).map(([name, value]) =>
      field(5, message(field(1, text(name)), field(3, value), field(20, ATTRIBUTE_INT))),
    ),
  );
}

function tensor(name: string, type: number, shape: number[], data: ArrayBufferView): Uint8Array {
  // Raw data is little-endian by definition, as is every machine Node 24 runs on.
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return message(...shape.map((size) => field(1, size)), field(2, type), field(8, text(name)), field(9, raw));
}

function valueInfo(name: string, type: number, shape: (string | number)[]): Uint8Array {
  const dimensions = shape.map((size) =>
    field(1, message(typeof size === 'number' ? field(1, size) : field(2, text(size)))),
  );
  const tensorType = message(field(1, type), field(2, message(...dimensions)));
  return message(field(1, text(name)), field(2, message(field(1, tensorType))));
}

/** A number becomes a varint, bytes a length-delimited field. */
function field(number: number, value: number | Uint8Array): Uint8Array {
  if (typeof value === 'number') return message(varint(number << 3), varint(value));
  return message(varint((number << 3) | 2), varint(value.length), value);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.from([...bytes, rest]);
}

function message(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function text(value: string): Uint8Array {
  return Buffer.from(value, 'utf8');
}
