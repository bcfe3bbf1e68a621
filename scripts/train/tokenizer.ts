import { GAP_INSIDE_WORD } from './words.ts';

/** Token ids of the special tokens; their vectors are zero. */
export const SPECIAL_TOKENS = ['[PAD]', '[UNK]', '[CLS]'] as const;

/**
 * Endings that may follow a known word or stem and add nothing to its meaning, so that forms never seen in training
 * are still understood. Their vectors are zero.
 */
export const ENDINGS = (
  's es d ed ing ings r er ers rs ly y ies ied e al able ably ion ions ation ations ' +
  'ment ments ness less ful ive ity ize ise ized ised izing ising ization isation ting ning ping ted ned ' +
  'ped ter ner per'
).split(' ');

/** Longer texts are cut here; the longest screens of real applications hold about a thousand words. */
const MAX_TOKENS = 4096;

/** The tokenizer's files, by name, for a vocabulary in the order of its token ids. */
export function tokenizerFiles(vocabulary: readonly string[], dims: number): Record<string, string> {
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL_TOKENS.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        {
          type: 'BertNormalizer',
          clean_text: true,
          handle_chinese_chars: true,
          strip_accents: true,
          lowercase: true,
        },
        { type: 'Replace', pattern: { Regex: GAP_INSIDE_WORD }, content: '' },
      ],
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    // A vector of zeros in front keeps a text of nothing but unprintable characters from being an empty input.
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
      pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 0 } }],
      special_tokens: { '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] } },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 60,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
  const tokenizerConfig = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: MAX_TOKENS,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
  };
  const config = {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: dims,
    vocab_size: vocabulary.length,
  };
  return {
    'tokenizer.json': jsonText(tokenizer),
    'tokenizer_config.json': jsonText(tokenizerConfig),
    'config.json': jsonText(config),
  };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
