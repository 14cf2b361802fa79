// What a Raspberry Pi's kernel tells of its board, on a kernel that knows no device trees: /proc/device-tree with the
// model and the revision, in the form of the real ones (a text that ends with a zero, four bytes most significant first).
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

static const char model[] = "Raspberry Pi 5 Model B Rev 1.0";
static const unsigned char revision[] = { 0x00, 0xd0, 0x41, 0x70 };

static int show_model(struct seq_file *file, void *unused)
{
	return seq_write(file, model, sizeof(model));
}

static int show_revision(struct seq_file *file, void *unused)
{
	return seq_write(file, revision, sizeof(revision));
}

static int __init begin(void)
{
	struct proc_dir_entry *tree = proc_mkdir("device-tree", NULL);
	struct proc_dir_entry *system = tree ? proc_mkdir("system", tree) : NULL;

	if (!system || !proc_create_single("model", 0444, tree, show_model) ||
	    !proc_create_single("linux,revision", 0444, system, show_revision))
		return -ENOMEM;
	return 0;
}

static void __exit end(void)
{
	remove_proc_subtree("device-tree", NULL);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The board of a Raspberry Pi 5, for tests");
