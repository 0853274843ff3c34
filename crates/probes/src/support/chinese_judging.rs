//! Chinese words that judge, and what stands before them.

use fissure_text::Upos;
use fissure_text::chinese::dictionary;

use super::chinese::Han;

/// Words that judge and can be graded. Written for this project.
pub(crate) const GRADED: &[&str] = &[
    "好", "差", "贵", "便宜", "干净", "脏", "舒服", "舒适", "方便", "不错", "漂亮", "好看", "难看", "好吃", "难吃",
    "安静", "吵", "宽敞", "热情", "满意", "失望", "开心", "高兴", "喜欢", "精彩", "有趣", "无聊", "实用", "实惠",
    "糟糕", "破旧", "陈旧", "老旧", "整洁", "齐全", "周到", "优秀", "感人", "精致", "豪华", "简陋", "麻烦", "流畅",
    "清晰", "快", "慢", "大", "小", "近", "远", "新", "旧", "难", "容易", "简单", "郁闷", "美观",
];

/// Words of degree that can give way to others.
pub(crate) const DEGREES: &[&str] = &["很", "非常", "十分", "挺", "相当", "蛮", "特别"];

/// Words behind which a degree or a judgement is denied, compared or weighed.
const BOUND: &[&str] = &[
    "不",
    "没",
    "没有",
    "不是",
    "并",
    "并不",
    "不太",
    "不很",
    "未必",
    "别",
    "最",
    "更",
    "越",
    "如果",
    "要是",
    "不够",
    "有点",
    "算",
    "还算",
    "那么",
    "这么",
    "多么",
    "如此",
    "是不是",
    "说",
    "得不",
    "也不",
    "还",
    "的",
    "地",
    "够",
    "有些",
    "比较",
    "稍",
    "略",
    "太",
    "真",
    "超",
    "超级",
    "好",
    "一样",
    "离",
];

/// Whether what stands before the word at place `at` leaves it free.
pub(crate) fn is_free(han: &Han, at: usize) -> bool {
    !BOUND.contains(&&*han.before(at))
}

/// Whether a thing stands before the word at place `at`, which the word can judge. The tagger takes `服务` for a verb.
pub(crate) fn judges_a_thing(han: &Han, at: usize) -> bool {
    let before = han.before(at);
    let upos = at.checked_sub(1).and_then(|before| han.upos(before));
    // `你们好` greets, and `影响美观` has an object.
    let stays = before.ends_with(['们', '你', '您']) || matches!(&*before, "影响" | "大家" | "各位");
    !before.is_empty()
        && !stays
        && (upos == Some(Upos::Noun) || (upos == Some(Upos::Verb) && dictionary::tag(&before) == "vn"))
}

/// Words of the list of opposites that mostly have another sense, or that leave room between them: to turn them says little,
/// or nothing that is right.
const LOOSE: &[&str] = &[
    "接受", "拒绝", "灵活", "死板", "安装", "拆除", "加强", "削弱", "符合", "违背", "提前", "推迟", "重视", "完整",
    "残缺", "快速", "迅速", "缓慢", "怀疑", "相信", "干燥", "潮湿", "容易", "困难", "合并", "打击", "鼓励", "充电",
    "联合", "成绩", "清楚", "模糊", "忘记", "快乐", "理论", "实践", "好", "多", "长", "新", "空", "真", "美", "开始",
    "完成", "普通", "特别", "一般", "原因", "结果", "上面", "下面", "里面", "关心", "帮助", "老师", "学生", "孩子",
    "老人", "朋友", "最高", "收入", "得到", "公开", "成功", "连接", "重", "干", "满", "老", "推荐", "出现", "获得",
    "坚持", "保留", "上班", "高", "进入", "欢迎", "主要", "上升", "下降", "完美", "糟糕", "批评", "反对", "肯定",
    "出发", "离开", "战争", "大", "固定", "古老", "传统", "重要", "必要", "吸引", "享受", "满足", "方便", "便利",
    "正常", "继续", "国内", "国外", "放心", "担心", "死亡", "出生", "保护", "破坏", "简单", "复杂", "优秀", "差劲",
    "统一", "分裂", "内部", "外部", "睡觉", "起床", "病人", "医生", "集中", "分散", "虚伪", "诚实", "城市", "农村",
    "幸福", "喜爱", "整齐", "凌乱", "狭窄", "干净", "肮脏", "舒服", "难受", "胜利", "失败", "永久", "暂时", "大人",
    "小孩", "启动", "停止", "加热", "冷却", "快", "慢", "扩大", "缩小",
];

/// Whether the opposite of a word is not to be relied on.
pub(crate) fn is_loose(word: &str) -> bool {
    LOOSE.contains(&word)
}
