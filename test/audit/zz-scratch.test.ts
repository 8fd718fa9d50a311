import { readFileSync, readdirSync } from 'node:fs';
import { it } from 'vitest';
import { parse } from 'csv-parse/sync';
import { textFigures, datasetFigures } from '../../src/audit/text/text-figures.js';
const R='/work/shared/data/mcq/';
const T=JSON.parse(readFileSync(R+'TRUTH.json','utf8')).datasets;
const jl=(f:string)=>readFileSync(R+f,'utf8').split('\n').filter(x=>x.trim()).map(x=>JSON.parse(x));
const S:any={
 medqa_4opt:()=>jl('medqa/medqa_usmle_4opt_test.jsonl').map(r=>({stem:r.question.trim(),options:Object.values(r.options).map((x:any)=>x.trim()),answer:Object.keys(r.options).indexOf(r.answer_idx)})),
 medqa_5opt:()=>jl('medqa/medqa_usmle_5opt_test.jsonl').map(r=>({stem:r.question.trim(),options:Object.values(r.options).map((x:any)=>x.trim()),answer:Object.keys(r.options).indexOf(r.answer_idx)})),
 arc_challenge_test:()=>jl('arc/ARC-Challenge-Test.jsonl').map(r=>({stem:r.question.stem.trim(),options:r.question.choices.map((x:any)=>x.text.trim()),answer:r.question.choices.findIndex((c:any)=>c.label===r.answerKey)})),
 mmlu_pro_health:()=>jl('mmlu_pro/mmlu_pro_health_test.jsonl').map(r=>({stem:r.question.trim(),options:r.options.map((x:any)=>x.trim()),answer:r.answer_index})),
 headqa_en_test:()=>Object.values(JSON.parse(readFileSync(R+'headqa/test_HEAD_EN.json','utf8')).exams).flatMap((e:any)=>e.data.map((r:any)=>({stem:r.qtext.trim(),options:r.answers.map((a:any)=>a.atext.trim()),answer:r.answers.findIndex((a:any)=>String(a.aid)===String(r.ra))}))),
 medxpertqa_mm:()=>jl('medxpertqa/medxpertqa_mm_input.jsonl').map(r=>({stem:r.question.trim(),options:r.options.map((x:any)=>x.content.trim()),answer:r.options.findIndex((o:any)=>o.letter===r.label)})),
 mmlu_all57:()=>readdirSync(R+'mmlu/test').sort().flatMap(f=>parse(readFileSync(R+'mmlu/test/'+f,'utf8'),{relax_quotes:true}).map((r:any)=>({stem:r[0].trim(),options:r.slice(1,5).map((x:any)=>x.trim()),answer:'ABCD'.indexOf(r[5])}))),
};
const names:any={pick_longest_chars:'longestChars',pick_longest_words:'longestWords',pick_shortest_chars:'shortestChars',pick_shortest_words:'shortestWords',pick_most_similar_to_stem:'mostSimilarToStem',pick_least_similar_to_stem:'leastSimilarToStem',pick_most_central:'mostCentral',pick_least_central:'leastCentral'};
for(const [name,load] of Object.entries(S)) it(name,()=>{
  const items=(load as any)(); const t=T[name]; const t0=Date.now();
  const f:any=textFigures(items,{joinStems:true}); const d:any=datasetFigures(items); const sec=(Date.now()-t0)/1000;
  const bad:string[]=[]; const cmp=(n:string,a:any,b:any,tol=2e-6)=>{ if(a===null||b===null? a!==b : !(Math.abs(a-b)<=tol*Math.max(1,Math.abs(b)))) bad.push(`${n} ${a} ${b}`)};
  if(d.itemsSha256!==t.items_sha256) bad.push('sha');
  for(const [k,n] of Object.entries(names) as any){ const a=f.picks[n],b=t[k]; cmp(n,a.acc,b.acc);cmp(n+'z',a.zNull,b.z_null);cmp(n+'ga',a.goldAmong,b.gold_among);cmp(n+'gu',a.goldUnique,b.gold_unique);cmp(n+'u',a.itemsWithUniqueExtreme,b.items_with_unique_extreme);}
  cmp('p',f.labels.p/t.label_distribution.p,1,1e-4);cmp('chi',f.labels.chi2,t.label_distribution.chi2);
  for(const [k,n] of [['gold_mean_words','goldMeanWords'],['distractor_mean_words','distractorMeanWords'],['gold_mean_chars','goldMeanChars'],['distractor_mean_chars','distractorMeanChars'],['stem_mean_words','stemMeanWords']] as any) cmp(n,f.length[n],t.length[k]);
  cmp('voc',f.tfidfVocabulary,t.tfidf_vocabulary);
  for(const [a,b,n] of [[f.choicesOnlyLr,t.choices_only_lr,'lr'],[f.choicesOnlyLr.strict,t.choices_only_lr_strict,'strict']] as any){ console.log(name,n,a?.acc,b?.acc, JSON.stringify(a?.foldAcc.map((x:number,i:number)=>+(x-b.fold_acc[i]).toFixed(5)))); cmp(n,a?.acc,b?.acc,.0003); cmp(n+'fi',JSON.stringify(a?.foldItems)===JSON.stringify(b?.fold_items)?1:0,1)}
  const D=t.duplicate_options,E=t.duplicate_stems; cmp('d1',f.duplicates.options.itemsExact,D.items_exact);cmp('d2',f.duplicates.options.itemsNormalised,D.items_normalised);cmp('d3',f.duplicates.options.itemsGoldRepeatedExact,D.items_gold_repeated_exact);cmp('d4',f.duplicates.options.itemsGoldRepeatedNormalised,D.items_gold_repeated_normalised);cmp('d5',f.duplicates.options.extraOptionsExact,D.extra_options_exact);
  cmp('e1',f.duplicates.stems.extraExact,E.extra_exact);cmp('e2',f.duplicates.stems.extraNormalised,E.extra_normalised);cmp('e3',f.duplicates.stems.extraStemAndOptionsExact,E.extra_stem_and_options_exact);cmp('e4',f.duplicates.stems.extraStemAndOptionSetNormalised,E.extra_stem_and_option_set_normalised);cmp('eo',f.duplicates.emptyOptions,t.empty_options);
  for(const [k,n] of [['all_of_the_above','allOfTheAbove'],['none_of_the_above','noneOfTheAbove']] as any) for (const [a,b] of [['items','items'],['options','options'],['gold','gold'],['expected_gold','expectedGold']] as any) cmp(n+a,f.cues[n][b],t[k][a]);
  for(const [k,n] of [['absolute_words','absoluteWords'],['hedge_words','hedgeWords']] as any) for (const a of ['applicability','productivity','coverage','chance']) cmp(n+a,f.cues[n][a],t[k][a]);
  cmp('gs',f.goldTextInStem.gold,t.gold_text_in_stem.gold);cmp('gd',f.goldTextInStem.distractors,t.gold_text_in_stem.distractors);
  cmp('tt',f.tokenZ.tokensTested,t.token_z.tokens_tested);cmp('tb',f.tokenZ.overBonferroni05,t.token_z.over_bonferroni_05);
  t.token_z.top.forEach((x:any,i:number)=>{const y=f.tokenZ.top[i]; if(x.token!==y.token||x.n!==y.n||x.gold!==y.gold||Math.abs(x.z-y.z)>2e-6) bad.push(`tok ${i} ${JSON.stringify(x)} ${JSON.stringify(y)}`)});
  console.log(name,items.length,sec+'s',bad.length?bad.join('\n  '):'ALL EQUAL');
},200000);
