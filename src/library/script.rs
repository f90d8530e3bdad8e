//! Simplified and traditional characters, which a search takes for the same.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Traditional characters, each followed by its simplified form: those of surnames and given names, and of the usual names of places, events and
/// openings.
const PAIRS: &str = "\
    陳陈張张劉刘楊杨黃黄趙赵吳吴孫孙馬马羅罗鄭郑謝谢韓韩馮冯鄧邓許许蘇苏盧卢蔣蒋葉叶閻阎閆闫餘余鍾钟鐘钟譚谭\
    鄒邹陸陆顧顾賀贺龔龚嚴严湯汤萬万錢钱顏颜聶聂黨党齊齐莊庄龐庞呂吕賴赖魯鲁賈贾範范蕭萧蘭兰婁娄華华龍龙歐欧\
    陽阳藍蓝衛卫溫温寧宁喬乔畢毕紀纪項项鮑鲍單单塗涂饒饶簡简闞阚閔闵滿满連连農农鄔邬鄺邝酈郦陰阴麥麦駱骆關关\
    費费嶽岳遊游樂乐時时練练車车甯宁儲储竇窦諸诸談谈應应習习勞劳郟郏晉晋種种鞏巩厲厉國国師师榮荣銀银欽钦貴贵\
    興兴義义慶庆雲云飛飞鵬鹏鳳凤傑杰偉伟強强剛刚軍军勝胜賢贤賓宾輝辉燦灿煒炜燁烨爍烁揚扬聰聪爾尔競竞淵渊澤泽\
    濤涛濱滨漢汉潔洁瀟潇瑤瑶瓊琼璽玺環环玨珏瑋玮瓏珑禮礼禎祯禕祎穎颖積积穩稳節节築筑純纯紅红紹绍綱纲維维綸纶\
    緒绪經经緯纬繼继續续纓缨績绩聖圣聞闻聲声職职肅肃膽胆臨临舉举艷艳藝艺蔭荫蓮莲薦荐薩萨藺蔺虛虚術术衝冲見见\
    規规覺觉覽览親亲觀观詠咏詩诗誠诚語语誌志誼谊諒谅論论謀谋諾诺謙谦講讲譽誉讀读讓让豐丰貝贝財财貫贯貽贻賜赐\
    質质贊赞贇赟躍跃軒轩載载輔辅輕轻輪轮轉转辦办運运達达違违遙遥遠远適适選选遼辽還还邁迈邊边鄉乡釗钊鈞钧鈴铃\
    鉅钜銘铭銳锐鋒锋鋼钢錄录錦锦錫锡鍵键鎮镇鏡镜鑄铸鑒鉴長长門门開开間间閣阁閩闽闊阔闖闯陝陕隊队階阶際际隨随\
    險险隸隶雙双雜杂離离難难電电霧雾霽霁靈灵靜静韋韦韜韬響响頂顶順顺頌颂預预領领頤颐頭头題题額额願愿類类顯显\
    風风飄飘養养館馆駒驹駿骏騎骑騰腾驊骅驍骁驕骄驚惊驥骥體体鬥斗魚鱼鮮鲜鯉鲤鳴鸣鴻鸿鵑鹃鶴鹤鷗鸥鷹鹰麗丽點点\
    齡龄龜龟東东業业亞亚來来倫伦們们個个億亿優优儀仪價价兒儿內内兩两冊册劇剧劍剑動动務务勁劲勳勋勵励區区協协\
    參参發发變变啟启員员問问嘯啸園园圍围圓圆圖图團团執执場场壯壮壽寿夢梦奪夺奮奋婭娅婦妇嬌娇嫻娴學学寶宝實实\
    審审寫写寬宽寵宠將将專专尋寻對对導导屬属島岛峽峡嵐岚嶺岭嶸嵘巒峦帥帅帶带幫帮廣广廈厦廬庐廳厅彌弥彎弯徑径\
    從从復复徵征恆恒悅悦愛爱態态憲宪懷怀戰战戶户撫抚據据掛挂換换揮挥擇择擊击數数斷断於于暉晖曉晓曄晔暢畅書书\
    會会條条楓枫棟栋極极構构樓楼標标樞枢樣样樹树橋桥機机檢检權权歡欢歲岁歷历殘残殺杀氣气決决沖冲況况滄沧滅灭\
    準准溝沟漁渔漸渐潤润澗涧濟济濰潍瀋沈瀾澜灣湾為为無无煙烟熱热燈灯營营爐炉爭争牆墙獎奖獨独獅狮獻献現现瑩莹\
    產产畫画當当盃杯盡尽監监盤盘眾众確确碩硕禦御穌稣窩窝筆笔籃篮糧粮級级細细終终組组結结絕绝絲丝統统綠绿網网\
    緊紧線线編编縣县縱纵總总織织聯联聽听臺台與与舊旧艦舰萊莱蘆芦處处號号補补裝装製制複复訓训記记設设訪访評评\
    試试詳详認认誤误課课調调請请證证譜谱譯译護护貨货貿贸資资賽赛贏赢購购贛赣軌轨較较進进過过遞递鄰邻醫医釋释\
    針针鐵铁鑽钻閉闭閑闲閱阅陣阵雞鸡韻韵頁页須须頓顿頻频飯饭馳驰驅驱驗验驛驿鬆松麵面巋岿嶧峄崢峥嶼屿鉞钺鈺钰\
    鏞镛鎧铠銓铨鉉铉鍇锴鐸铎錚铮鑌镔鏗铿頡颉頎颀頊顼驄骢騏骐騫骞鸞鸾鶯莺鵲鹊鷺鹭鳶鸢鯤鲲諄谆謨谟誦诵訥讷詢询\
    詮诠諤谔燭烛煥焕燾焘熾炽璉琏璣玑瓔璎禪禅縝缜絢绚綺绮繪绘緹缇纖纤翹翘蕓芸薈荟蘊蕴蘄蕲嬋婵娛娱嫵妩崗岗愷恺\
    懌怿憶忆擁拥攜携敵敌曠旷棲栖楨桢樺桦櫻樱欒栾渾浑湧涌滌涤滸浒濃浓瀅滢瀏浏灃沣灝灏煉炼牽牵犖荦瓚瓒皚皑碭砀\
    祿禄箏筝簫箫鄲郸隴陇雋隽峯峰羣群啓启衆众綫线裏里裡里巖岩\
";

static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let letters: Vec<char> = PAIRS.chars().collect();
    letters.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
});

/// A text in lower case and simplified characters, in which a search compares.
pub(super) fn folded(text: &str) -> String {
    let simplified = |letter: char| if letter.is_ascii() { letter } else { *SIMPLIFIED.get(&letter).unwrap_or(&letter) };
    text.to_lowercase().chars().map(simplified).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_traditional_character_has_one_simplified_form() {
        assert!(PAIRS.chars().count() == 2 * SIMPLIFIED.len() && !PAIRS.contains(char::is_whitespace));
        assert!(SIMPLIFIED.values().all(|simplified| !SIMPLIFIED.contains_key(simplified)));
    }

    #[test]
    fn names_in_both_scripts_are_the_same() {
        for (traditional, simplified) in [
            ("胡榮華", "胡荣华"),
            ("許銀川", "许银川"),
            ("呂欽 (廣東)", "吕钦 (广东)"),
            ("全國象棋個人賽", "全国象棋个人赛"),
            ("Lin", "lin"),
        ] {
            assert_eq!(folded(traditional), simplified);
        }
    }
}
